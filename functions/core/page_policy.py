"""What the dashboard's pages may load: sent by CloudFront and by the local server alike."""

PAGE_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' https: data:",
        "style-src 'self'",
        "script-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)
"""A Content-Security-Policy with nothing inline: a quoted title could never become a script."""
