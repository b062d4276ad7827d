"""How far `map_chunks` is: a bar of tqdm, or lines on stderr."""

import sys
import time


class Silence:
    """Says nothing."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def update(self, nbytes):
        pass


def tqdm_bar(total):
    """A bar of tqdm; None: it is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, unit="B", unit_scale=True, desc="map_chunks")


class Lines(Silence):
    """A line now and then, and one at the end."""

    _EVERY = 1.0  # seconds

    def __init__(self, chunks, total):
        self._chunks, self._total = chunks, total
        self._done = self._bytes = 0
        self._begin = self._said = time.monotonic()

    def update(self, nbytes):
        self._done += 1
        self._bytes += nbytes
        now = time.monotonic()
        if now - self._said >= self._EVERY or self._done == self._chunks:
            self._said = now
            self._say(now)

    def _say(self, now):
        of = f" of {self._chunks}" if self._chunks else ""
        rate = self._bytes / max(now - self._begin, 1e-9) / 1e9
        print(
            f"map_chunks: {self._done}{of} chunks, {self._bytes / 1e9:.2f} GB, {rate:.2f} GB/s",
            file=sys.stderr,
            flush=True,
        )
