"""Reading, receiving and answering the entries that phones queue and send.

A queued entry comes in, one command goes to the log, an answer goes back. Nothing here depends
on forms or pages.
"""
