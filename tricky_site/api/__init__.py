"""The API of the whole site: assembled of both apps', its door, its description and schemas. It knows no page."""
