"""Middleware, limits and error pages between the server and Django's views."""
