"""Https in a room: an authority of this machine, its certificate, and how a phone trusts it."""
