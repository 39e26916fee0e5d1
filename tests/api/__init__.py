"""Tests of the API: operations of both apps, and the middleware that all calls pass."""
