"""Structured logs and metrics of every function, under one name."""

import json
from functools import partial

from aws_lambda_powertools import Logger, Metrics

from functions.core.settings import SERVICE

NAMESPACE = "StockTrackRecord"

logger = Logger(
    service=SERVICE,
    # All in ASCII: nothing that a caller sent can end a line, or speak to the terminal on which it is read.
    json_serializer=partial(json.dumps, default=str, separators=(",", ":")),
)
metrics = Metrics(namespace=NAMESPACE, service=SERVICE)
