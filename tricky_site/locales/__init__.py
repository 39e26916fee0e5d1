"""Language and time zone of visitors."""
