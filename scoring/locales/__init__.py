"""Whose words and whose clocks: catalogs of other languages, time zones. It knows no request and nothing that is stored."""
