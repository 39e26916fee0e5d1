"""What programs may ask of clubs and do as their people, in JSON under /api/v1/.

Each operation finds its object as the page of it does, names the role that the page needs, calls
the function that the page calls, and answers with what is so then. It must not know how anything
is counted, and of `web` it knows the forms alone, which say what of a tournament can be.
"""
