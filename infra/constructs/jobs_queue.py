"""The queue of price jobs: tried three times, then kept for two weeks in the dead-letter queue."""

from aws_cdk import Duration
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra import names
from infra.config import Config
from infra.constructs.removal import removal_policy

TRIES = 3
MESSAGES_AT_ONCE = 5
WORKERS_AT_ONCE = 5


class JobsQueue(Construct):
    def __init__(self, scope: Construct, config: Config, worker: lambda_.Function) -> None:
        super().__init__(scope, "Jobs")
        removal = removal_policy(config)
        self.dead_letters = sqs.Queue(
            self,
            "DeadLetters",
            queue_name=names.dead_letters_name(config.prefix),
            retention_period=Duration.days(14),
            enforce_ssl=True,
            removal_policy=removal,
        )
        assert worker.timeout
        self.queue = sqs.Queue(
            self,
            "Queue",
            queue_name=names.jobs_queue_name(config.prefix),
            # Six times the function's own time, as AWS asks, so that no message is handed out while it is worked on.
            visibility_timeout=Duration.seconds(6 * worker.timeout.to_seconds()),
            dead_letter_queue=sqs.DeadLetterQueue(queue=self.dead_letters, max_receive_count=TRIES),
            enforce_ssl=True,
            removal_policy=removal,
        )
        worker.add_event_source(
            sources.SqsEventSource(
                self.queue,
                batch_size=MESSAGES_AT_ONCE,
                max_concurrency=WORKERS_AT_ONCE,
                report_batch_item_failures=True,
            )
        )
