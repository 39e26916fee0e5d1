"""Views of the scorepad: thin functions that parse, call one operation and render."""
