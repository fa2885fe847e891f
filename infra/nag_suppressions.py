"""Suppresses a cdk-nag rule on the resource it is about, with the reason."""

from aws_cdk import Acknowledgment, Validations
from constructs import IConstruct


def suppress_nag(construct: IConstruct, rule: str, reason: str) -> None:
    Validations.of(construct).acknowledge(Acknowledgment(id=rule, reason=reason))
