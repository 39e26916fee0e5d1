"""What programs ask and do: both apps' operations, through the door that all calls pass."""
