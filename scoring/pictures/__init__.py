"""Pictures that go with what is shared, drawn by the server: messengers show no SVG.

They want Pillow, which phones do not have: nothing else in the scorepad imports this.
"""
