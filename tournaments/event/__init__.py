"""One tournament while it runs: entries, draw, rounds, tables, results, standings.

Each module holds the acts of one subject, a transaction each. Nothing here knows of pages, or of
what other tournaments came to.
"""
