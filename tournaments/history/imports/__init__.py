"""Import past results from a club's own lists: read, check, store, and undo."""
