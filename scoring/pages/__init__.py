"""The content of pages, in words: the score sheet, a change, a hand and its history.

Read from the log and passed to templates; nothing here writes anything.
"""
