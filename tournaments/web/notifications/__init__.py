"""Notifications on phones."""
