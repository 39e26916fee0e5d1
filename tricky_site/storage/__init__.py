"""Caches and messages, shared by all processes, without models."""
