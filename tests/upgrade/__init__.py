"""Databases of releases; later releases must be able to upgrade them."""
