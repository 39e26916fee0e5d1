"""Hostile inputs by chance, against everything that takes what strangers write.

Each input is made of one that is fine (a form as a page offers it, a hand, a file as the site
writes it) that is changed at a few places, or cut, or filled with what programs stumble over:
`hostile.py`. What they are sent to is a small site with something at every address, where accounts
of every role are signed in: `site.py`. The kinds of input stand in `files.py` and `requests.py`;
what the rules are asked of a hand, in `test_hands.py`; what programs call, in `tests/api`.

Of each input is asked, by `test_hostile_inputs.py`:

- nothing breaks: no answer of 500 or more, no exception that is not a refusal;
- what is refused changes nothing, and neither does reading. Triggers of the database count what was
  written, but for what is kept of every visit (`BOOKKEEPING` in `site.py`).

`INPUTS` says how many, `SEED` which ones. A fault is told by its input and by what came before
it. A long run, beside other work:

    INPUTS=100000 SEED=2 nice .venv/bin/python -m pytest -s tests/fuzz
"""
