"""What pages show, gathered and put into words: the score sheet, a change, a hand and its history.

Read from the log and handed to templates; nothing here takes a request or writes anything.
"""
