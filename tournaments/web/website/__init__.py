"""Frames and badges of a club for other websites."""
