"""The picture of a timeline's page for the documentation, taken by a headless browser.

python -m cuprum profile -o page.html examples/overlap.py
python tools/timeline_picture.py page.html docs/guide/timeline.png
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "python"))

from browser import BROWSER, Browser


def main(page, picture):
    if BROWSER is None:
        sys.exit("no browser was found; install chromium")
    with Browser(1440, 960) as browser:
        browser.open(page)
        # All that the streams did, with a kernel of the costliest expression chosen.
        browser.evaluate(
            "(() => { let low = total, high = 0;"
            " for (let i = 0; i < N; ++i) if (S.kind[i] <= 4 && S.length[i] > total / 2000)"
            " { low = Math.min(low, S.begin[i]); high = Math.max(high, S.begin[i] + S.length[i]); }"
            " const edge = (high - low) * .02; show(low - edge, high + edge);"
            " const g = costly.filter(g => g.kind === 0).sort((a, b) => b.time - a.time)[0];"
            " const all = Array.from({ length: N }, (_, i) => i).filter(i => groups[groupOf[i]] === g);"
            " choose(all[all.length >> 1]); draw(); })()"
        )
        browser.screenshot(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
