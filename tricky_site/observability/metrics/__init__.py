"""Figures of a running site, for programs that watch over it."""
