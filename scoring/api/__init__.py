"""Matches for programs, in JSON under /api/v1/, and what operations of both apps stand on.

Operations call the functions that pages and phones call. It knows no forms, no templates, and not
what a match is played for. It is not on phones.
"""
