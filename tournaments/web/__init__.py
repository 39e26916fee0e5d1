"""Clubs, tournaments and histories on the web: addresses, views, forms, charts.

A view parses, calls once, renders. Whatever decides or computes stands in a room below.
"""
