"""What is said where a backup cannot be made, read or restored."""


class BackupError(Exception):
    """Why not, in words that name the way out; nothing was written."""
