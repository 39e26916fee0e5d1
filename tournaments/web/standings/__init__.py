"""Standings of a tournament."""
