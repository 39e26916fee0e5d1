"""Random hostile inputs for everything that takes input of strangers.

Each input is a valid one (a form of a page, a hand, a file of the site) with a few changes, cut
off, or filled with difficult values: `hostile.py`. It is sent to a small site with content at every
address and signed-in accounts of every role: `site.py`. The kinds of input are in `files.py` and
`requests.py`, questions to the rules in `test_hands.py`, and API calls in `tests/api`.

`test_hostile_inputs.py` checks that
- nothing breaks: no status of 500 or more, no exception except refusals;
- refused inputs and reading write nothing. Database triggers record writes, except bookkeeping
of visits (`BOOKKEEPING` in `site.py`).

`INPUTS` is their number, `SEED` the seed. A fault is reported with its input and earlier ones.
A long run in the background:

    INPUTS=100000 SEED=2 nice .venv/bin/python -m pytest -s tests/fuzz
"""
