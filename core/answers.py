from dataclasses import dataclass


@dataclass
class Valid:
    pass


@dataclass
class Invalid:
    model: dict


@dataclass
class Unknown:
    reason: str
