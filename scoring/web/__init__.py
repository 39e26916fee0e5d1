"""The scorepad on the web: URLs, views and forms.

A view parses, calls one operation and renders. Decisions and computations belong in the lower
layers.
"""
