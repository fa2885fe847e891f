"""The routes for the service itself."""
