"""Clubs, tournaments and history for programs, in JSON under /api/v1/.

An operation checks the role that its page needs, calls the function that the page calls, and
answers what is so then. Of `web` it knows the forms alone.
"""
