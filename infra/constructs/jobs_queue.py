"""The queues: of jobs and tasks of plans, of exports, of news. What fails three times is in one dead-letter queue."""

from aws_cdk import Duration
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from functions.steps import JOB_ATTEMPTS
from infra import names
from infra.config import Config
from infra.constructs.removal import removal_policy

MESSAGES_AT_ONCE = 1
"""A job may take most of its worker's time, so a worker gets one."""


class JobsQueue(Construct):
    def __init__(self, scope: Construct, config: Config, worker: lambda_.Function) -> None:
        super().__init__(scope, "Jobs")
        self.dead_letters = sqs.Queue(
            self,
            "DeadLetters",
            queue_name=names.dead_letters_name(config.prefix),
            retention_period=Duration.days(14),
            enforce_ssl=True,
            removal_policy=removal_policy(config),
        )
        name = names.jobs_queue_name(config.prefix)
        self.queue = worker_queue(self, "Queue", config, name, worker, self.dead_letters)


def worker_queue(
    scope: Construct,
    construct_id: str,
    config: Config,
    name: str,
    worker: lambda_.Function,
    dead_letters: sqs.Queue,
) -> sqs.Queue:
    """A queue whose messages call a function."""
    assert worker.timeout
    queue = sqs.Queue(
        scope,
        construct_id,
        queue_name=name,
        # Six times the function's timeout, as AWS recommends: no message is delivered again while it is worked on.
        visibility_timeout=Duration.seconds(6 * worker.timeout.to_seconds()),
        dead_letter_queue=sqs.DeadLetterQueue(queue=dead_letters, max_receive_count=JOB_ATTEMPTS),
        enforce_ssl=True,
        removal_policy=removal_policy(config),
    )
    worker.add_event_source(
        sources.SqsEventSource(
            queue,
            batch_size=MESSAGES_AT_ONCE,
            max_concurrency=config.workers_at_once,
            report_batch_item_failures=True,
        )
    )
    return queue
