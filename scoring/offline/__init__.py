"""The scorepad as a phone runs it offline: the same views, in the browser."""
