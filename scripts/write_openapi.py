"""Prints the API's OpenAPI document, with no server: `python scripts/write_openapi.py > web/openapi.json`."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from functions.runtime.http.documentation import openapi_document


def main() -> int:
    print(json.dumps(openapi_document(), indent=2, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
