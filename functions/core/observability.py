"""Structured logs and metrics of every function, under one name."""

import json
import os
from functools import partial

from aws_lambda_powertools import Logger, Metrics

NAMESPACE = "StockTrackRecord"
SERVICE = os.environ.get("POWERTOOLS_SERVICE_NAME", "stock-track-record")
"""On AWS the system's prefix, so that the metrics of two systems in one account are told apart."""

logger = Logger(
    service=SERVICE,
    # All in ASCII: nothing that a caller sent can end a line, or speak to the terminal on which it is read.
    json_serializer=partial(json.dumps, default=str, separators=(",", ":")),
)
metrics = Metrics(namespace=NAMESPACE, service=SERVICE)
