"""The base class of stored models: dataclasses to and from DynamoDB items."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import ClassVar, Self

from functions.runtime.dynamodb.attributes import Item, Value, decode, encode
from functions.runtime.errors import InvalidValue


@dataclass(frozen=True, slots=True)
class Entity:
    """A model stored as one item. Frozen, so that values validated on creation are still valid when written."""

    enums: ClassVar[Mapping[str, type[StrEnum]]] = {}
    numbers: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for name, allowed in self.enums.items():
            if type(getattr(self, name)) is not allowed:
                object.__setattr__(self, name, self._one_of(name, allowed))
        for name in self.numbers:
            value = getattr(self, name)
            if value is not None and not (type(value) is float and math.isfinite(value)):
                object.__setattr__(self, name, self._finite(name, value))

    def keys(self) -> dict[str, str]:
        """The item's primary key and index keys."""
        raise NotImplementedError

    def attributes(self) -> dict[str, Value]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def to_item(self) -> Item:
        return encode({**self.attributes(), **self.keys(), "entity": type(self).__name__})

    @classmethod
    def from_item(cls, item: Item) -> Self:
        known = cls.__dataclass_fields__
        return cls(**decode({name: attribute for name, attribute in item.items() if name in known}))

    def _one_of(self, name: str, allowed: type[StrEnum]) -> StrEnum | None:
        value = getattr(self, name)
        if value is None and self.__dataclass_fields__[name].default is None:
            return None
        try:
            return allowed(value)
        except ValueError:
            choices = ", ".join(allowed)
            raise InvalidValue(f"{type(self).__name__}.{name} must be one of {choices}, not {value!r}") from None

    def _finite(self, name: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise InvalidValue(f"{type(self).__name__}.{name} must be a finite number, not {value!r}")
        return float(value)
