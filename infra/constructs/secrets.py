"""The ARN of a secret, and the right to read it, for functions."""

from aws_cdk import aws_iam as iam
from aws_cdk import aws_secretsmanager as secretsmanager


def arn_of(secret: secretsmanager.Secret) -> str:
    """By attribute: on AWS a `Ref` is the ARN too, but not in the emulator of the deploy test."""
    resource = secret.node.default_child
    assert isinstance(resource, secretsmanager.CfnSecret)
    return resource.attr_id


def read_statement(secret: secretsmanager.Secret) -> iam.PolicyStatement:
    return iam.PolicyStatement(actions=["secretsmanager:GetSecretValue"], resources=[arn_of(secret)])
