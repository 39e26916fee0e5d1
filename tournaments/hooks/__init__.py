"""Webhooks: what happened is written beside what it tells, and sent to who wants it.

Must not know how a night is run: that says what happened, by `happenings`.
"""
