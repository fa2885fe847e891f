"""The CDK app: `cdk synth`, `cdk deploy --all`. Settings come from the context; docs/operations.md lists them."""

import sys

from aws_cdk import App

from functions.core.errors import InvalidSetting
from infra.system import add_stacks


def main() -> int:
    app = App()
    try:
        add_stacks(app)
    except InvalidSetting as problem:
        print(problem, file=sys.stderr)
        return 1
    app.synth()
    return 0


if __name__ == "__main__":
    sys.exit(main())
