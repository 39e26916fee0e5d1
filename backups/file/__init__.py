"""The file of a backup: what it says of itself, how it is written, read and sealed; no Django."""
