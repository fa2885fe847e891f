"""Prints the AWS account of the credentials, or how to get some: `python scripts/check_credentials.py`."""

import argparse
import sys
from collections.abc import Sequence

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError

IMPATIENT = Config(connect_timeout=5, read_timeout=5, retries={"max_attempts": 1})


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="check_credentials", description="Checks the AWS credentials.")
    parser.add_argument("--profile", help="a profile of ~/.aws/config; other options are left to the CDK")
    profile = parser.parse_known_args(arguments)[0].profile
    try:
        print(f"AWS account {account(profile)}.")
    except NoCredentialsError:
        print(
            "There are no AWS credentials. Run `aws configure` or `aws sso login`, or set AWS_PROFILE.", file=sys.stderr
        )
        return 1
    except (ClientError, BotoCoreError) as problem:
        print(f"The AWS credentials cannot be used: {str(problem).rstrip('.')}.", file=sys.stderr)
        return 1
    return 0


def account(profile: str | None) -> str:
    session = boto3.Session(profile_name=profile)
    sts = session.client("sts", region_name=session.region_name or "us-east-1", config=IMPATIENT)
    number: str = sts.get_caller_identity()["Account"]
    return number


if __name__ == "__main__":
    sys.exit(main())
