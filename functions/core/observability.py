"""Structured logs and metrics of every function, under one name."""

from aws_lambda_powertools import Logger, Metrics

SERVICE = "stock-track-record"
NAMESPACE = "StockTrackRecord"

logger = Logger(service=SERVICE)
metrics = Metrics(namespace=NAMESPACE, service=SERVICE)
