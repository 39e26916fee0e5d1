"""Projector and paper."""
