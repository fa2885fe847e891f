"""The cloud side of the product: `cdk deploy --all`, with `-c prefix=NAME` for table names of one's own."""

import aws_cdk as cdk

from functions.core.settings import Settings
from infra.stacks.data import DataStack

app = cdk.App()
prefix = app.node.try_get_context("prefix") or Settings.from_environment({}).table_prefix
DataStack(app, f"{prefix}-Data", prefix=prefix)
app.synth()
