"""The stocks of a channel as a CSV file."""

from functions.record.channels.channels import get_channel
from functions.record.files.csv import CsvFile, csv_file
from functions.record.stocks.figures import ChannelStock
from functions.record.stocks.track_record import stocks_of_channel


def stocks_as_csv(channel_id: str) -> CsvFile:
    stocks = stocks_of_channel(channel_id).stocks
    return csv_file("stocks", get_channel(channel_id), ChannelStock, stocks)
