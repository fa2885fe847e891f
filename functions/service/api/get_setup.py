"""GET /api/setup: the providers in use, their missing settings, who reads, how well and at what cost."""

from dataclasses import asdict
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query

from functions.reading import analysts, model_costs
from functions.reading.analyst_figures import all_figures, figures_of
from functions.record.api.schemas import CostEstimate, Reader, ReaderFigures, Setup
from functions.runtime.http.resolver import create_app, create_handler
from functions.runtime.provider_errors import MissingSetting
from functions.runtime.provider_settings import model_daily_tokens
from functions.runtime.settings import settings
from functions.service.setup import missing_settings

MAX_VIDEOS = 100_000
Videos = Annotated[int, Query(ge=1, le=MAX_VIDEOS, description="Estimate what it takes to read this many videos")]

app = create_app(__name__)


@app.endpoint()
def get_setup(videos: Videos = 100) -> Setup:
    providers, provider = settings().providers, analysts.provider()
    figures = figures_of(provider)
    name = _name()
    return Setup(
        videos=providers.videos,
        transcripts=providers.transcripts,
        analyst=provider,
        prices=providers.prices,
        missing_settings=[missing.name for missing in missing_settings()],
        calls_read_right=figures.calls_right if figures else None,
        calls_found=figures.calls_found if figures else None,
        reader=_reader(provider, name),
        estimate=_estimate(provider, name, videos),
        figures=[_figures(reader) for reader in all_figures()],
    )


def _reader(provider: str, name: str | None) -> Reader:
    prices = model_costs.prices_of(provider, name or "")
    hour = model_costs.estimate(provider, name or "", 1, model_costs.WORDS_PER_HOUR)
    return Reader(
        name=name,
        provider=provider,
        sends_to=analysts.destination(provider),
        dollars_per_hour=hour.dollars,
        prices_as_of=prices.as_of if prices else None,
        daily_tokens=model_daily_tokens(),
    )


def _name() -> str | None:
    try:
        return analysts.analyst().name
    except MissingSetting:
        return None


def _estimate(provider: str, name: str | None, videos: int) -> CostEstimate:
    found = model_costs.estimate(provider, name or "", videos)
    return CostEstimate(
        videos=found.videos,
        words=found.words,
        tokens_in=found.tokens.input,
        tokens_out=found.tokens.output,
        dollars=found.dollars,
    )


def _figures(reader: str) -> ReaderFigures:
    counts = {name: value for name, value in asdict(all_figures()[reader]).items() if name != "model"}
    return ReaderFigures(reader=reader, **counts)


handler = create_handler(app)
