"""The CDK app: `cdk synth`, `cdk deploy --all`. Settings come from the context; docs/operations.md lists them."""

import sys

from aws_cdk import App

from functions.runtime.errors import InvalidSetting
from infra.config import read_config, with_stage_file
from infra.system import add_stacks


def main() -> int:
    app = App()
    try:
        config = read_config(with_stage_file(app.node.get_all_context()))
    except InvalidSetting as problem:
        print(problem, file=sys.stderr)
        return 1
    add_stacks(app, config)
    app.synth()
    return 0


if __name__ == "__main__":
    sys.exit(main())
