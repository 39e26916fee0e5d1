"""Pictures that go with what is shared."""
