"""Export tables as CSV, Excel and JSON, and export and import whole clubs.

A table is declared once, with its columns and rows; `tournaments.files.writing` writes it in any
format. This package does not depend on requests or permissions.
"""
