"""Refuses to deploy one stage over another: `python -m operations.check_stage -c stage=prod`."""

import sys
from collections.abc import Sequence

from functions.runtime.errors import InvalidSetting
from operations.deployment import Deployment


def main(arguments: Sequence[str] | None = None) -> int:
    try:
        deployment = Deployment.of_arguments(arguments, "Compares the stage of the settings with the deployed one.")
    except InvalidSetting as problem:
        print(problem, file=sys.stderr)
        return 1
    config, deployed = deployment.config, deployed_stage(deployment)
    if deployed not in (None, config.stage):
        print(
            f"{config.prefix} is deployed as {deployed}, and this would turn it into {config.stage}: "
            f"deploy with STAGE={deployed}, or with another prefix.",
            file=sys.stderr,
        )
        return 1
    return 0


def deployed_stage(deployment: Deployment) -> str | None:
    stack = deployment.stack("data")
    tags = {tag["Key"]: tag["Value"] for tag in stack["Tags"]} if stack else {}
    return tags.get("Environment")


if __name__ == "__main__":
    sys.exit(main())
