"""What leaves the site by links: previews, metadata, calendars."""
