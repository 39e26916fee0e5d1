"""The API for matches, in JSON under /api/v1/, and the base of the operations of both apps.

Operations call the same functions as pages and phones. The package does not use forms, templates or
tournaments, and is not part of the offline scorepad.
"""
