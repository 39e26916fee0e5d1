"""Telling devices what happened, by Web Push: who asked for it, and how it reaches them.

It knows what happened to what. It does not know words, which are the pages' own, and it sends
nothing to devices that have not asked.
"""
