"""A whole club in one file, for another host or for keeping.

A zip of JSON lines, a row a line, and a manifest. What follows from something else is not in
it: matches are their logs, from which everything is derived again. Nor are secrets and accounts.
"""
