"""Puts the measured hotel into the portal's table, the way the portal writes."""

from tqdm import tqdm

from benchmarks import common, data
from rooms import commands

BATCH = 90


def fill(how_many: int) -> None:
    """Write the hotel and its rooms."""
    commands.save_hotel(data.HOTEL)
    with tqdm(total=how_many, desc="Rooms", unit=" rooms", disable=None) as bar:
        for batch in common.batches(data.rooms(how_many), BATCH):
            commands.save_rooms(batch)
            bar.update(len(batch))
