"""Back up the whole site, database and keys, as one file, and restore it.

django-dbbackup 5.4 was tried instead. It copies a SQLite backup over the open database, which is
malformed after a full disk, and on PostgreSQL it fails when the site has newer tables than the
backup. It seals with GnuPG only, and has no keys, no check of a file, and no check of the release.
"""
