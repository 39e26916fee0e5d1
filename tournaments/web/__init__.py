"""Clubs, tournaments and histories on the web: addresses, views, forms, charts.

A view parses the request, makes one call and renders. Decisions and computations belong to the
packages below this one.
"""
