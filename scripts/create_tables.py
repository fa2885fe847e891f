"""Creates the tables where the settings point: `python scripts/create_tables.py`. Safe to run again."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from botocore.exceptions import BotoCoreError, ClientError

from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.errors import StockTrackRecordError
from functions.runtime.settings import settings
from local.tables import create_tables


def main() -> int:
    try:
        for sentence in create_tables(dynamodb(), settings().table_prefix):
            print(sentence)
    except (StockTrackRecordError, ClientError, BotoCoreError) as problem:
        # Something other than DynamoDB may respond with a whole page.
        print(f"Tables were not created: {str(problem).splitlines()[0]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
