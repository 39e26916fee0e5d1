"""What the director and the room look at while a round is played.

The desk itself, the pace of the tables, slips, announcements; read from the event, never deciding.
"""
