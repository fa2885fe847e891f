"""The product version. CHANGELOG.md lists the changes in each one."""

VERSION = "1.0.0"
