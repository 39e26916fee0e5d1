"""Every part that pages are made of, in every state, on one page.

It is there with DEBUG, and tests look at it: what a part looks like is decided here.
"""
