"""Tests of link preview pictures."""
