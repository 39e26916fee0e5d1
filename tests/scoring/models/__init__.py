"""Tests of the models of matches."""
