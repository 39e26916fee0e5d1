"""The scorepad as a phone runs it without a network: the same views, in the browser."""
