"""Past results as clubs kept them: read, looked at, brought in, taken out again."""
