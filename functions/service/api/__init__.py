"""The routes about the service itself."""
