"""What people see: thin functions that parse, call one operation and render."""
