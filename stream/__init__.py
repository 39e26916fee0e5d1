"""Live for others: a process of its own that tells listeners which version is new, and where to read it.

Whatever changes is announced by name after its commit; the process reads the versions of what
somebody listens to, and tells those that are others than before.
"""
