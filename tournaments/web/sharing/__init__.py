"""Link previews, metadata, calendars and feeds for other sites and programs."""
