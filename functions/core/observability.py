"""Structured logs and metrics of every function, under one name."""

from aws_lambda_powertools import Logger, Metrics

SERVICE = "stock-track-record"

logger = Logger(service=SERVICE)
metrics = Metrics(namespace="StockTrackRecord", service=SERVICE)
