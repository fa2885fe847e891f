"""The version of this client, which is released apart from the API."""

VERSION = "0.1.0"
