"""CloudFront in front of the page and the API, so that both are one origin."""

from aws_cdk import Duration, Fn
from aws_cdk import aws_apigatewayv2 as apigateway
from aws_cdk import aws_certificatemanager as certificates
from aws_cdk import aws_cloudfront as cloudfront
from aws_cdk import aws_cloudfront_origins as origins
from aws_cdk import aws_s3 as s3
from constructs import Construct

from functions.routes import ROUTES
from functions.runtime.settings import ORIGIN_HEADER
from infra import names
from infra.config import ROOT, Config
from infra.constructs.origin_secret import origin_secret
from infra.constructs.web_acl import web_acl
from infra.nag_suppressions import suppress_nag

API_PATHS = (
    "/api/*",
    *(f"{route.path}{slash}" for route in ROUTES if not route.path.startswith("/api/") for slash in ("", "/")),
)
PAGE_POLICY = "; ".join((ROOT / "web" / "content-security-policy.txt").read_text().splitlines())
REWRITE_TO_INDEX = """function handler(event) {
  // The page has routes of its own, some with a dot (a ticker may hold one). Files are at the root or in assets.
  var request = event.request;
  if (!/^\\/(assets\\/.+|[^\\/]+\\.[^\\/]+)$/.test(request.uri)) request.uri = '/index.html';
  return request;
}
"""
WITHOUT_TRAILING_SLASH = """function handler(event) {
  // A path with a slash at its end is the same route, and API Gateway would need another one for it.
  var request = event.request;
  request.uri = request.uri.replace(/(.)\\/$/, '$1');
  return request;
}
"""
LONGEST_CACHED = Duration.days(1)


def distribution(
    scope: Construct, config: Config, page: s3.IBucket, logs: s3.IBucket, api: apigateway.IHttpApi
) -> cloudfront.Distribution:
    created = cloudfront.Distribution(
        scope,
        "Distribution",
        comment=config.prefix,
        default_root_object="index.html",
        default_behavior=_page(scope, config, page),
        additional_behaviors=dict.fromkeys(API_PATHS, _api(scope, config, api)),
        minimum_protocol_version=cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
        http_version=cloudfront.HttpVersion.HTTP2_AND_3,
        price_class=cloudfront.PriceClass.PRICE_CLASS_100,
        log_bucket=logs,
        log_file_prefix="page/",
        domain_names=[config.page_domain] if config.page_domain else None,
        certificate=_certificate(scope, config),
        web_acl_id=web_acl(scope, config).attr_arn if config.waf else None,
    )
    suppress_nag(created, "AwsSolutions-CFR1", "The page is for readers in any country.")
    if not config.waf:
        suppress_nag(
            created, "AwsSolutions-CFR2", "The API is throttled; a web ACL is a setting, `waf`, and on in production."
        )
    if not config.page_domain:
        suppress_nag(created, "AwsSolutions-CFR4", "CloudFront's own domain fixes its TLS versions; set page_domain.")
    return created


def _page(scope: Construct, config: Config, bucket: s3.IBucket) -> cloudfront.BehaviorOptions:
    rewrite = cloudfront.Function(
        scope,
        "ToThePage",
        function_name=names.account_wide(config, "page"),
        code=cloudfront.FunctionCode.from_inline(REWRITE_TO_INDEX),
        runtime=cloudfront.FunctionRuntime.JS_2_0,
    )
    access = cloudfront.S3OriginAccessControl(
        scope, "PageAccess", origin_access_control_name=names.account_wide(config, "page")
    )
    return cloudfront.BehaviorOptions(
        origin=origins.S3BucketOrigin.with_origin_access_control(bucket, origin_access_control=access),
        viewer_protocol_policy=cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        cache_policy=cloudfront.CachePolicy.CACHING_OPTIMIZED,
        compress=True,
        response_headers_policy=_headers(scope, config, "page", PAGE_POLICY),
        function_associations=[
            cloudfront.FunctionAssociation(function=rewrite, event_type=cloudfront.FunctionEventType.VIEWER_REQUEST)
        ],
    )


def _api(scope: Construct, config: Config, api: apigateway.IHttpApi) -> cloudfront.BehaviorOptions:
    host = Fn.select(2, Fn.split("/", api.api_endpoint))
    return cloudfront.BehaviorOptions(
        origin=origins.HttpOrigin(
            host,
            read_timeout=Duration.seconds(30),
            custom_headers=None if config.direct_api else {ORIGIN_HEADER: origin_secret(config)},
        ),
        viewer_protocol_policy=cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
        allowed_methods=cloudfront.AllowedMethods.ALLOW_ALL,
        cache_policy=_cache_policy(scope, config),
        origin_request_policy=cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        # /docs brings a stricter Content-Security-Policy of its own.
        response_headers_policy=_headers(scope, config, "api", None),
        function_associations=[
            cloudfront.FunctionAssociation(
                function=cloudfront.Function(
                    scope,
                    "WithoutTrailingSlash",
                    function_name=names.account_wide(config, "slash"),
                    code=cloudfront.FunctionCode.from_inline(WITHOUT_TRAILING_SLASH),
                    runtime=cloudfront.FunctionRuntime.JS_2_0,
                ),
                event_type=cloudfront.FunctionEventType.VIEWER_REQUEST,
            )
        ],
    )


def _cache_policy(scope: Construct, config: Config) -> cloudfront.CachePolicy:
    """Caches only the responses that say so (`EDGE_SECONDS`), and none that could differ for another caller."""
    return cloudfront.CachePolicy(
        scope,
        "ApiCache",
        cache_policy_name=names.account_wide(config, "api"),
        min_ttl=Duration.seconds(0),
        default_ttl=Duration.seconds(0),
        max_ttl=LONGEST_CACHED,
        query_string_behavior=cloudfront.CacheQueryStringBehavior.all(),
        header_behavior=cloudfront.CacheHeaderBehavior.allow_list("Accept", "Authorization", "Origin"),
        cookie_behavior=cloudfront.CacheCookieBehavior.none(),
        enable_accept_encoding_gzip=True,
    )


def _headers(
    scope: Construct, config: Config, kind: str, content_policy: str | None
) -> cloudfront.ResponseHeadersPolicy:
    policy = cloudfront.ResponseHeadersContentSecurityPolicy
    return cloudfront.ResponseHeadersPolicy(
        scope,
        f"{kind.capitalize()}Headers",
        response_headers_policy_name=names.account_wide(config, kind),
        security_headers_behavior=cloudfront.ResponseSecurityHeadersBehavior(
            content_security_policy=policy(content_security_policy=content_policy, override=True)
            if content_policy
            else None,
            content_type_options=cloudfront.ResponseHeadersContentTypeOptions(override=True),
            frame_options=cloudfront.ResponseHeadersFrameOptions(
                frame_option=cloudfront.HeadersFrameOption.DENY, override=True
            ),
            referrer_policy=cloudfront.ResponseHeadersReferrerPolicy(
                referrer_policy=cloudfront.HeadersReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN, override=True
            ),
            strict_transport_security=cloudfront.ResponseHeadersStrictTransportSecurity(
                access_control_max_age=Duration.days(365), include_subdomains=True, override=True
            ),
        ),
    )


def _certificate(scope: Construct, config: Config) -> certificates.ICertificate | None:
    if not config.page_certificate:
        return None
    return certificates.Certificate.from_certificate_arn(scope, "PageCertificate", config.page_certificate)
