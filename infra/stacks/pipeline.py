"""The pipeline: the state machine of a run, the queue of price jobs, and the clock that resumes dead runs."""

from aws_cdk import CfnOutput, Duration, Environment, Stack
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from constructs import Construct

from functions.steps import RESUME_DEAD_RUNS, RUN_JOBS, RUN_STEPS, Step
from infra import names, permissions
from infra.config import Config
from infra.constructs.jobs_queue import JobsQueue
from infra.constructs.processing import Processing
from infra.constructs.python_function import PythonFunction

RESUME_EVERY = Duration.minutes(5)


class PipelineStack(Stack):
    def __init__(self, scope: Construct, config: Config) -> None:
        super().__init__(scope, f"{config.prefix}-pipeline", env=Environment(region=config.region))
        self._config = config
        functions = {step.module: self._function(step) for step in RUN_STEPS}
        self.state_machine = Processing(self, config, functions).state_machine
        self.jobs = JobsQueue(self, config, self._function(RUN_JOBS))
        events.Rule(
            self,
            "ResumeDeadRunsClock",
            description="Resumes the runs whose heartbeat stopped",
            schedule=events.Schedule.rate(RESUME_EVERY),
            targets=[targets.LambdaFunction(self._function(RESUME_DEAD_RUNS), retry_attempts=2)],
        )
        CfnOutput(self, "StateMachineArn", value=self.state_machine.state_machine_arn)
        CfnOutput(self, "JobsQueueUrl", value=self.jobs.queue.queue_url)
        CfnOutput(self, "DeadLettersUrl", value=self.jobs.dead_letters.queue_url)

    def _function(self, step: Step) -> PythonFunction:
        config = self._config
        function = PythonFunction(
            self,
            step.module,
            config,
            package="pipeline",
            statements=[
                *permissions.table_statements(self, config.prefix, step.grants),
                *(permissions.key_statements(self, config) if step.uses_providers else ()),
                *(permissions.model_statements(self, config) if step.uses_model else ()),
                *(permissions.start_run_statements(self, config.prefix) if step.starts_runs else ()),
            ],
            environment=self._environment(step),
            timeout_seconds=step.timeout_seconds,
            memory=step.memory,
        )
        if step.uses_model:
            permissions.suppress_model_wildcard(function, config)
        return function

    def _environment(self, step: Step) -> dict[str, str]:
        config = self._config
        machine = names.state_machine_arn(self, config.prefix)
        return {
            **(permissions.provider_environment(config) if step.uses_providers else {}),
            **({"STATE_MACHINE_ARN": machine} if step.starts_runs else {}),
            **({"RUNS_AT_ONCE": str(config.runs_at_once)} if step.takes_places else {}),
        }
