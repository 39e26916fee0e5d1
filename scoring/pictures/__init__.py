"""Pictures that go with shared links, drawn by the server: messengers show no SVG.

They need resvg and Pillow, which phones do not have: nothing else in the scorepad imports this.
"""
