"""Webhooks: events are stored with what caused them, and sent to subscribers.

Must not know how a night is run: that says what happened, by `happenings`.
"""
