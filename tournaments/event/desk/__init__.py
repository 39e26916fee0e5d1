"""Views of a running round for the director and the room: desk, pace, slips, announcements.

They read the event and make no decisions.
"""
