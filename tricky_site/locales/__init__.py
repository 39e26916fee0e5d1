"""In whose language and by whose clocks somebody is told something. It knows no page."""
