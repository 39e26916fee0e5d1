"""Translation catalogs and time zones, without requests or stored data."""
