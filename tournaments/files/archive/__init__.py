"""Archives: a whole club in one file, to move it to another server or as a backup.

A zip of a manifest and files of JSON lines, with a line for each row. Derived data is not
included: matches are stored as their logs. Nor are secrets and accounts.
"""
