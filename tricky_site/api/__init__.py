"""The API of the whole site: the operations of both apps, description and schemas. It uses no pages."""
