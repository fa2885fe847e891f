"""The ARN of a secret, for policies and functions."""

from aws_cdk import aws_secretsmanager as secretsmanager


def arn_of(secret: secretsmanager.Secret) -> str:
    """By attribute: on AWS a `Ref` is the ARN too, but not in the emulator of the deploy test."""
    resource = secret.node.default_child
    assert isinstance(resource, secretsmanager.CfnSecret)
    return resource.attr_id
