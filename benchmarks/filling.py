"""Writes the measured hotel into the portal's table, with the portal's own commands."""

from tqdm import tqdm

from benchmarks import common, data
from hotels.commands import save_hotels
from rooms import commands

BATCH = 90


def fill(how_many: int) -> None:
    """Write the hotel and its first ``how_many`` rooms."""
    save_hotels([data.HOTEL])
    with tqdm(total=how_many, desc="Rooms", unit=" rooms", disable=None) as bar:
        for batch in common.batches(data.rooms(how_many), BATCH):
            commands.save_rooms(batch)
            bar.update(len(batch))
