"""Webhooks: events are stored with the change that caused them, and sent to subscribers.

Must not know how a night is run: that code reports events through `happenings`.
"""
