"""Empties the buckets and the backup vault of a deployment that is to be destroyed: `python -m operations.empty`.

CloudFormation deletes neither a bucket nor a vault that holds something. Production keeps both.
"""

import sys
import time
from collections.abc import Sequence
from typing import Any

from functions.runtime.errors import InvalidSetting
from operations.deployment import Deployment

POLL_SECONDS = 5
MAX_POLLS = 60


def main(arguments: Sequence[str] | None = None) -> int:
    try:
        deployment = Deployment.of_arguments(arguments, "Empties the buckets and the backup vault of a deployment.")
    except InvalidSetting as problem:
        print(problem, file=sys.stderr)
        return 1
    if deployment.config.is_production:
        print("Production keeps its buckets and backups.")
        return 0
    for bucket in deployment.resources("AWS::S3::Bucket"):
        print(f"{bucket}: {empty_bucket(deployment.client('s3'), bucket)} objects deleted")
    for vault in deployment.resources("AWS::Backup::BackupVault"):
        print(f"{vault}: {empty_vault(deployment.client('backup'), vault)} recovery points deleted")
    return 0


def empty_bucket(s3: Any, bucket: str) -> int:
    """Deletes every version of every object, and returns their number."""
    deleted = 0
    for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
        versions = [*page.get("Versions", []), *page.get("DeleteMarkers", [])]
        keys = [{"Key": version["Key"], "VersionId": version["VersionId"]} for version in versions]
        if keys:
            refused = s3.delete_objects(Bucket=bucket, Delete={"Objects": keys, "Quiet": True}).get("Errors", [])
            if refused:
                raise RuntimeError(f"{bucket}: {refused[0]['Key']} was not deleted ({refused[0]['Code']})")
        deleted += len(keys)
    return deleted


def empty_vault(backup: Any, vault: str) -> int:
    """Waits until the recovery points are gone, because AWS Backup deletes them asynchronously."""
    points = _recovery_points(backup, vault)
    for point in points:
        backup.delete_recovery_point(BackupVaultName=vault, RecoveryPointArn=point)
    for _ in range(MAX_POLLS):
        if not _recovery_points(backup, vault):
            return len(points)
        time.sleep(POLL_SECONDS)
    raise RuntimeError(f"{vault} still holds recovery points; try again in a few minutes")


def _recovery_points(backup: Any, vault: str) -> list[str]:
    pages = backup.get_paginator("list_recovery_points_by_backup_vault").paginate(BackupVaultName=vault)
    return [point["RecoveryPointArn"] for page in pages for point in page.get("RecoveryPoints", [])]


if __name__ == "__main__":
    sys.exit(main())
