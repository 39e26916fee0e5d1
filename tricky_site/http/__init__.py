"""Between a server and Django's views: what every request passes, and what is answered where no view did. It knows no game and no club."""
