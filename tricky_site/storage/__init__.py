"""What processes share and where they read: caches, counts, the standby. It knows no model."""
