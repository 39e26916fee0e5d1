"""Files that leave the site, and whole clubs that come back: tables as CSV, Excel and JSON.

A table is declared once, with its columns and rows, and written in any format by
`tournaments.files.writing`. Nothing here knows of requests, or who may have what.
"""
