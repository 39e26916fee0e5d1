"""The log of a match: one way to write it, and everything that follows from it.

What was entered is appended and never changed; a match is what replaying its log gives, and the
rows that pages ask for are projected from that. Nothing here knows of pages, forms, phones, or
what a match is played for.
"""
