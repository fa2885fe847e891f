"""Monitoring: a dashboard, alarms with their topic, a budget, and saved log queries."""

from aws_cdk import CfnOutput, Environment, Stack
from aws_cdk import aws_apigatewayv2 as apigateway
from constructs import Construct

from infra import names
from infra.config import Config
from infra.constructs.alarms import Alarms
from infra.constructs.budget import budget
from infra.constructs.dashboard import dashboard
from infra.constructs.log_queries import log_queries


class ObservabilityStack(Stack):
    def __init__(self, scope: Construct, config: Config, api: apigateway.IHttpApi) -> None:
        super().__init__(scope, f"{config.prefix}-observability", env=Environment(region=config.region))
        alarms = Alarms(self, config, api.api_id)
        dashboard(self, config, api.api_id, names.state_machine_arn(self, config.prefix), alarms.all)
        if config.monthly_budget and not config.emulator:
            budget(self, config, config.monthly_budget, alarms.topic)
        if not config.emulator:
            log_queries(self, config)
        CfnOutput(self, "AlarmTopicArn", value=alarms.topic.topic_arn)
        CfnOutput(self, "DashboardName", value=config.prefix)
