"""What was said about a stock, as the API shows it."""

from dataclasses import dataclass
from typing import Annotated, Self

from functions.reading.statements import Act, Speaker
from functions.record.models.said import Said
from functions.runtime.json_schema import JsonSchema


@dataclass(frozen=True, slots=True)
class Statement:
    """The words about the stock, before the policy decides whether it is a call."""

    act: Annotated[Act, JsonSchema(description="Something the speaker says or does")]
    speaker: Annotated[Speaker, JsonSchema(description="Whose statement it is")]
    possible_act: Annotated[
        Act | None, JsonSchema(description="The most probable act where the words aren't clear enough for one")
    ]
    company: Annotated[str | None, JsonSchema(description="The company, as the analyst names it")]
    heard: Annotated[str | None, JsonSchema(description="The stock's name as the transcript spells it")]
    condition: Annotated[
        str | None, JsonSchema(description="The event or price that has to come first, in the speaker's words")
    ]
    horizon: Annotated[str | None, JsonSchema(description="The speaker's own horizon, in their words")]
    target_price: Annotated[
        float | None, JsonSchema(description="The speaker's own target in dollars, in the shares of that day")
    ]
    conviction: Annotated[int | None, JsonSchema(description="How firmly it is said: 1 (tentatively) to 3 (firmly)")]
    sponsored: Annotated[bool, JsonSchema(description="True if it is part of a sponsored segment")]
    listed: Annotated[
        bool, JsonSchema(description="False if no list of US shares knows the ticker, so it has no price")
    ]
    second_quote: Annotated[
        str | None, JsonSchema(description="Other words that it rests on, if they stand elsewhere in the video")
    ]
    second_quote_seconds: Annotated[
        int | None, JsonSchema(description="Where they start, in seconds from the start of the video")
    ]

    @classmethod
    def of(cls, said: Said) -> Self:
        return cls(
            act=said.act,
            speaker=said.speaker,
            possible_act=said.possible_act,
            company=said.company,
            heard=said.heard,
            condition=said.condition,
            horizon=said.horizon,
            target_price=said.target,
            conviction=said.conviction,
            sponsored=said.sponsored,
            listed=said.listed,
            second_quote=said.second_quote,
            second_quote_seconds=said.second_quote_seconds,
        )
