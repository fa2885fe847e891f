"""A deployed system, identified by its deployment settings."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.exceptions import ClientError

from functions.runtime.errors import InvalidSetting
from infra.config import Config, context_of_arguments, read_config, with_stage_file

STACKS = ("data", "pipeline", "api", "observability", "web")


@dataclass(frozen=True)
class Deployment:
    config: Config
    session: Any

    @classmethod
    def of_arguments(cls, arguments: Sequence[str] | None, description: str) -> "Deployment":
        """Parses the CDK options of `make deploy`: `-c name=value`, `--profile`. The rest is left to the CDK."""
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("-c", "--context", action="append", default=[], help="a setting, as the CDK takes it")
        parser.add_argument("--profile", help="a profile of ~/.aws/config")
        given = parser.parse_known_args(arguments)[0]
        context = with_stage_file(context_of_arguments(given.context))
        # The region of the profile, like the CDK.
        context.setdefault("region", boto3.Session(profile_name=given.profile).region_name)
        config = read_config(context)
        return cls(config, boto3.Session(profile_name=given.profile, region_name=config.region))

    def client(self, service: str) -> Any:
        return self.session.client(service)

    def stack(self, kind: str) -> dict[str, Any] | None:
        """CloudFormation's description of the stack; None if it does not exist."""
        try:
            described = self.client("cloudformation").describe_stacks(StackName=f"{self.config.prefix}-{kind}")
        except ClientError as problem:
            if problem.response["Error"]["Code"] == "ValidationError":
                return None
            raise
        stack: dict[str, Any] = described["Stacks"][0]
        return stack

    def resources(self, kind: str) -> Iterator[str]:
        """Returns the physical ids of all resources of one type."""
        pages = self.client("cloudformation").get_paginator("list_stack_resources")
        for stack in STACKS:
            if self.stack(stack):
                for page in pages.paginate(StackName=f"{self.config.prefix}-{stack}"):
                    for resource in page["StackResourceSummaries"]:
                        is_gone = resource["ResourceStatus"] == "DELETE_COMPLETE"
                        if resource["ResourceType"] == kind and resource.get("PhysicalResourceId") and not is_gone:
                            yield resource["PhysicalResourceId"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the account and region in the format of `cdk bootstrap`."""
    try:
        deployment = Deployment.of_arguments(arguments, "Prints the account and region of a deployment.")
    except InvalidSetting as problem:
        print(problem, file=sys.stderr)
        return 1
    account = deployment.client("sts").get_caller_identity()["Account"]
    print(f"aws://{account}/{deployment.config.region}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
