"""A web ACL for CloudFront: AWS's lists of bad addresses and requests, and a limit for each address."""

from aws_cdk import aws_wafv2 as waf
from constructs import Construct

from infra import names
from infra.config import Config

REQUESTS_PER_ADDRESS = 1000
"""In five minutes."""
MANAGED_RULES = ("AWSManagedRulesAmazonIpReputationList", "AWSManagedRulesKnownBadInputsRuleSet")


def web_acl(scope: Construct, config: Config) -> waf.CfnWebACL:
    name = names.account_wide(config, "page")
    return waf.CfnWebACL(
        scope,
        "WebAcl",
        name=name,
        scope="CLOUDFRONT",
        default_action=waf.CfnWebACL.DefaultActionProperty(allow={}),
        visibility_config=_visibility(name),
        rules=[_rate_limit(), *(_managed(rule, number) for number, rule in enumerate(MANAGED_RULES, start=1))],
    )


def _rate_limit() -> waf.CfnWebACL.RuleProperty:
    return waf.CfnWebACL.RuleProperty(
        name="RequestsPerAddress",
        priority=0,
        action=waf.CfnWebACL.RuleActionProperty(block={}),
        statement=waf.CfnWebACL.StatementProperty(
            rate_based_statement=waf.CfnWebACL.RateBasedStatementProperty(
                limit=REQUESTS_PER_ADDRESS, aggregate_key_type="IP"
            )
        ),
        visibility_config=_visibility("RequestsPerAddress"),
    )


def _managed(rule: str, priority: int) -> waf.CfnWebACL.RuleProperty:
    return waf.CfnWebACL.RuleProperty(
        name=rule,
        priority=priority,
        override_action=waf.CfnWebACL.OverrideActionProperty(none={}),
        statement=waf.CfnWebACL.StatementProperty(
            managed_rule_group_statement=waf.CfnWebACL.ManagedRuleGroupStatementProperty(vendor_name="AWS", name=rule)
        ),
        visibility_config=_visibility(rule),
    )


def _visibility(metric: str) -> waf.CfnWebACL.VisibilityConfigProperty:
    return waf.CfnWebACL.VisibilityConfigProperty(
        cloud_watch_metrics_enabled=True, metric_name=metric, sampled_requests_enabled=True
    )
