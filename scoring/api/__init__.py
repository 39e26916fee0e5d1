"""What programs may ask of the scorepad and do at a match, in JSON under /api/v1/.

Beside its router this room holds what every operation of the site stands on: problems, pages,
scopes, limits. It calls the functions that pages and phones call, and knows nothing of how a hand
is scored, of forms, of templates, or of what a match is played for. It is not on phones.
"""
