"""The scorepad on the web: addresses, views and forms.

A view parses, calls once, renders. Whatever decides or computes stands in a room below.
"""
