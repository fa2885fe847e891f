"""The state machine that processes a channel, with the functions it calls."""

import json
from collections.abc import Mapping

from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as stepfunctions
from constructs import Construct

from infra import names
from infra.config import Config
from infra.constructs.log_group import log_group
from infra.constructs.processing_definition import processing_definition
from infra.nag_suppressions import suppress_nag
from infra.permissions import principal_of_this_account


class Processing(Construct):
    def __init__(self, scope: Construct, config: Config, functions: Mapping[str, lambda_.IFunction]) -> None:
        super().__init__(scope, "Processing")
        name = names.state_machine_name(config.prefix)
        arns = {module: function.function_arn for module, function in functions.items()}
        definition = processing_definition(arns, config.videos_at_once)
        self.state_machine = stepfunctions.StateMachine(
            self,
            "StateMachine",
            state_machine_name=name,
            # Written by json, since CDK's own writer leaves out what is null, and a null ResultPath means something.
            definition_body=stepfunctions.DefinitionBody.from_string(json.dumps(definition)),
            role=iam.Role(self, "Role", assumed_by=principal_of_this_account("states.amazonaws.com")),
            tracing_enabled=True,
            logs=stepfunctions.LogOptions(
                # States' own log groups go below /aws/vendedlogs: their resource policy is full otherwise.
                destination=log_group(self, "Logs", config, f"/aws/vendedlogs/states/{name}"),
                level=stepfunctions.LogLevel.ALL,
            ),
        )
        self.state_machine.add_to_role_policy(
            iam.PolicyStatement(actions=["lambda:InvokeFunction"], resources=list(arns.values()))
        )
        suppress_nag(
            self.state_machine.role,
            "AwsSolutions-IAM5[Resource::*]",
            "Log deliveries and X-Ray segments have no ARNs to name; the actions are those AWS documents for both.",
        )
