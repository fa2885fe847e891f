"""The resources that send alerts: the key that signs webhooks, and the topics that send e-mails."""

from aws_cdk import aws_kms as kms
from aws_cdk import aws_secretsmanager as secretsmanager
from aws_cdk import aws_sns as sns
from constructs import Construct

from infra import names
from infra.config import Config
from infra.constructs.removal import removal_policy
from infra.nag_suppressions import suppress_nag


class Alerts(Construct):
    """Retained with the data: receivers have copied a key derived from ours, or confirmed an address."""

    def __init__(self, scope: Construct, config: Config) -> None:
        super().__init__(scope, "Alerts")
        self.key = self._key(config)
        # An AWS managed key: anyone who may publish to a topic may use it.
        topic_key = kms.Alias.from_alias_name(self, "TopicKey", "alias/aws/sns")
        for number, name in enumerate(names.alerts_topic_names(config), start=1):
            topic = sns.Topic(
                self,
                "Topic" if number == 1 else f"Topic{number}",
                topic_name=name,
                display_name="Stock Track Record",
                enforce_ssl=True,
                master_key=topic_key,
            )
            topic.apply_removal_policy(removal_policy(config))

    def _key(self, config: Config) -> secretsmanager.Secret:
        secret = secretsmanager.Secret(
            self,
            "Key",
            secret_name=names.alert_key_secret_name(config.prefix),
            description="The keys that sign webhooks are made from it",
            generate_secret_string=secretsmanager.SecretStringGenerator(password_length=64, exclude_punctuation=True),
            removal_policy=removal_policy(config),
        )
        suppress_nag(secret, "AwsSolutions-SMG4", "Receivers of webhooks have copied a key that is made from it.")
        return secret
