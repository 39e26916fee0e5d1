"""Imports of results and clubs."""
