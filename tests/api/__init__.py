"""What programs ask and do: both apps' operations, with the middleware that all calls pass."""
