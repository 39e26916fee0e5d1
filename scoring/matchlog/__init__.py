"""The log of a match, the only way to append to it, and the rows projected from it.

Entries are appended and never changed. A match is the result of replaying its log; the rows
that pages query are projected from that. Nothing here depends on pages, forms, phones or
competitions.
"""
