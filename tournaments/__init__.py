"""Clubs, tournaments and seasons."""
