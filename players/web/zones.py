"""The time zones to choose from."""

from functools import cache
from itertools import groupby
from zoneinfo import available_timezones

REGIONS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def zones_by_region() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each region with its zones and their towns.

    >>> dict(zones_by_region())["Asia"][0]
    ('Asia/Aden', 'Aden')
    """
    names = sorted(name for name in available_timezones() if name.split("/")[0] in REGIONS and "/" in name)
    return [
        (region, [(name, name.partition("/")[2].replace("_", " ")) for name in zones])
        for region, zones in groupby(names, key=lambda name: name.split("/")[0])
    ]
