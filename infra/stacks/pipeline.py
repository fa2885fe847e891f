"""The pipeline: the state machine of a run, the queues of jobs, exports and news, and the scheduled jobs."""

from aws_cdk import CfnOutput, Environment, Stack
from constructs import Construct

from functions.steps import ANALYSE_NEWS, RUN_JOBS, RUN_STEPS, WRITE_EXPORTS, Step
from infra import names, permissions
from infra.config import Config
from infra.constructs.clocks import CLOCKS, Clocks
from infra.constructs.jobs_queue import JobsQueue, worker_queue
from infra.constructs.processing import Processing
from infra.constructs.python_function import PythonFunction


class PipelineStack(Stack):
    def __init__(self, scope: Construct, config: Config) -> None:
        super().__init__(scope, f"{config.prefix}-pipeline", env=Environment(region=config.region))
        self._config = config
        functions = {step.module: self._function(step) for step in RUN_STEPS}
        self.state_machine = Processing(self, config, functions).state_machine
        self.jobs = JobsQueue(self, config, self._function(RUN_JOBS))
        exports = names.user_exports_queue_name(config.prefix)
        worker_queue(self, "Exports", config, exports, self._function(WRITE_EXPORTS), self.jobs.dead_letters)
        # Apart from that of jobs: news would wait behind prices, which wait for their source.
        news = names.news_queue_name(config.prefix)
        self.news = worker_queue(self, "News", config, news, self._function(ANALYSE_NEWS), self.jobs.dead_letters)
        Clocks(self, config, {clock.step.module: self._function(clock.step) for clock in CLOCKS})
        CfnOutput(self, "StateMachineArn", value=self.state_machine.state_machine_arn)
        CfnOutput(self, "JobsQueueUrl", value=self.jobs.queue.queue_url)
        CfnOutput(self, "NewsQueueUrl", value=self.news.queue_url)
        CfnOutput(self, "DeadLettersUrl", value=self.jobs.dead_letters.queue_url)

    def _function(self, step: Step) -> PythonFunction:
        config = self._config
        function = PythonFunction(
            self,
            step.module,
            config,
            import_name=step.import_name,
            description=f"pipeline {step.module}",
            statements=[
                *permissions.table_statements(self, config.prefix, step.grants),
                *(permissions.key_statements(self, config) if step.uses_providers else ()),
                *permissions.model_statements(self, config, step),
                *(permissions.start_run_statements(self, config.prefix) if step.starts_runs else ()),
                *permissions.queue_statements(self, config.prefix, step),
                *permissions.file_statements(self, config, step),
                *permissions.alert_statements(self, config, reads_key=step.signs_webhooks, emails=step.email),
            ],
            environment=self._environment(step),
            timeout_seconds=step.timeout_seconds,
            memory=step.memory,
            reserved_concurrency=self._reserved_concurrency(step) if config.reserve_concurrency else None,
        )
        if step.uses_model or step.reads_tone:
            permissions.suppress_model_wildcard(function, config)
        permissions.suppress_file_wildcards(function, config, step)
        return function

    def _reserved_concurrency(self, step: Step) -> int:
        """As many as run at once when everything does that the settings allow."""
        config = self._config
        if step in RUN_STEPS:
            for_each_video = step.module in ("process_video", "record_failed_video")
            return config.runs_at_once * (config.videos_at_once if for_each_video else 1)
        return self._config.workers_at_once if step in (RUN_JOBS, WRITE_EXPORTS, ANALYSE_NEWS) else 1

    def _environment(self, step: Step) -> dict[str, str]:
        config = self._config
        machine = names.state_machine_arn(self, config.prefix)
        return {
            **(permissions.provider_environment(config) if step.uses_providers else {}),
            **({"STATE_MACHINE_ARN": machine, "RUNS_AT_ONCE": str(config.runs_at_once)} if step.starts_runs else {}),
            **permissions.queue_environment(self, config.prefix, step),
            **permissions.file_environment(config, step),
            **permissions.alert_environment(self, config, reads_key=step.signs_webhooks, emails=step.email),
        }
