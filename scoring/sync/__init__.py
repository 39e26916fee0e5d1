"""What phones queue and send: how it is read, received and answered.

A queued entry comes in, one command goes to the log, an answer goes back. Nothing here knows of
forms or pages.
"""
