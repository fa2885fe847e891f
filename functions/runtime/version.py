"""The version of the product. CHANGELOG.md says what each one changed."""

VERSION = "1.0.0"
