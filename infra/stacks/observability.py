"""How the system is watched: a dashboard, alarms with their topic, and saved questions to the logs."""

from aws_cdk import CfnOutput, Environment, Stack
from aws_cdk import aws_apigatewayv2 as apigateway
from constructs import Construct

from infra import names
from infra.config import Config
from infra.constructs.alarms import Alarms
from infra.constructs.dashboard import dashboard
from infra.constructs.log_queries import log_queries


class ObservabilityStack(Stack):
    def __init__(self, scope: Construct, config: Config, api: apigateway.IHttpApi) -> None:
        super().__init__(scope, f"{config.prefix}-observability", env=Environment(region=config.region))
        state_machine_arn = names.state_machine_arn(self, config.prefix)
        alarms = Alarms(self, config, api.api_id, state_machine_arn)
        dashboard(self, config, api.api_id, state_machine_arn, alarms.all)
        if not config.emulator:
            log_queries(self, config)
        CfnOutput(self, "AlarmTopicArn", value=alarms.topic.topic_arn)
        CfnOutput(self, "DashboardName", value=config.prefix)
