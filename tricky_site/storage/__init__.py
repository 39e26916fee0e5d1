"""What processes share: caches and messages. It knows no model."""
