"""Clubs, tournaments and history for programs, in JSON under /api/v1/.

An operation checks the same role as its page, calls the same function, and returns the new
state. From `web` it imports only forms.
"""
