"""What a policy and a function call a secret by."""

from aws_cdk import aws_secretsmanager as secretsmanager


def arn_of(secret: secretsmanager.Secret) -> str:
    """The ARN as an attribute: AWS gives it for a plain reference too, the emulator of the deploy test only so."""
    resource = secret.node.default_child
    assert isinstance(resource, secretsmanager.CfnSecret)
    return resource.attr_id
