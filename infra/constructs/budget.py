"""A monthly budget of the account, which notifies the alarm topic before and when it is exceeded."""

from aws_cdk import aws_budgets as budgets
from aws_cdk import aws_sns as sns
from constructs import Construct

from infra import names
from infra.config import Config

ACTUAL_PERCENT = 80
FORECAST_PERCENT = 100


def budget(scope: Construct, config: Config, dollars: int, topic: sns.ITopic) -> None:
    """Covers the whole account: costs by tag require tags that someone has activated for billing."""
    created = budgets.CfnBudget(
        scope,
        "Budget",
        budget=budgets.CfnBudget.BudgetDataProperty(
            budget_name=names.account_wide(config, "monthly"),
            budget_type="COST",
            time_unit="MONTHLY",
            budget_limit=budgets.CfnBudget.SpendProperty(amount=dollars, unit="USD"),
        ),
        notifications_with_subscribers=[
            _notification("ACTUAL", ACTUAL_PERCENT, topic),
            _notification("FORECASTED", FORECAST_PERCENT, topic),
        ],
    )
    # AWS Budgets tests the topic when it is created.
    created.node.add_dependency(topic)


def _notification(kind: str, percent: int, topic: sns.ITopic) -> budgets.CfnBudget.NotificationWithSubscribersProperty:
    return budgets.CfnBudget.NotificationWithSubscribersProperty(
        notification=budgets.CfnBudget.NotificationProperty(
            comparison_operator="GREATER_THAN",
            notification_type=kind,
            threshold=percent,
            threshold_type="PERCENTAGE",
        ),
        subscribers=[budgets.CfnBudget.SubscriberProperty(subscription_type="SNS", address=topic.topic_arn)],
    )
