"""Backups: the whole site as one file, sealed on wish, and back; it knows no table of anybody's."""
