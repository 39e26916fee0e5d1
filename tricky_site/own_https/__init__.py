"""HTTPS without a domain name: a certificate authority of this machine, and a page that helps phones trust it."""
