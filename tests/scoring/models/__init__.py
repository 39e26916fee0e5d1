"""Tests of what is stored of matches."""
