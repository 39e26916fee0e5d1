"""One tournament while it runs: entries, draw, rounds, tables, results, standings.

Each module covers one subject, and each operation is one transaction. Nothing here depends on
pages or on the results of other tournaments.
"""
