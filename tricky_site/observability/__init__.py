"""Monitoring of the server: logs, errors, readiness and metrics."""
