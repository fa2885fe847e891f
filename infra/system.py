"""All stacks of the system, in order of dependency, and their common tags."""

from aws_cdk import App, Tags

from infra.config import PRODUCT, Config
from infra.stacks.api import ApiStack
from infra.stacks.data import DataStack
from infra.stacks.observability import ObservabilityStack
from infra.stacks.pipeline import PipelineStack
from infra.stacks.web import WebStack


def add_stacks(app: App, config: Config) -> None:
    data = DataStack(app, config)
    pipeline = PipelineStack(app, config)
    api = ApiStack(app, config)
    observability = ObservabilityStack(app, config, api.api)
    web = WebStack(app, config, api.api)
    pipeline.add_stack_dependency(data, reason="its functions name the tables")
    api.add_stack_dependency(pipeline, reason="its functions name the state machine and the queue")
    tags = {"Project": PRODUCT, "Environment": config.stage, "ManagedBy": "CDK", **config.tags}
    for name, value in tags.items():
        Tags.of(app).add(name, value)
    for stack in (data, pipeline, api, observability, web):
        # A resource's own Name has the default priority, 100, and wins.
        Tags.of(stack).add("Name", stack.stack_name, priority=50)
        stack.termination_protection = config.is_production
