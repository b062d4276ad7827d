"""The timeline's page: what is in it, and, in a real browser, that it shows, finds and zooms."""

import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cuprum as cp
from browser import BROWSER, Browser
from devices import HERE

needs_browser = pytest.mark.skipif(BROWSER is None, reason="no browser is installed")


def contents(page):
    text = Path(page).read_text()
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])


def spans_of(data):
    """The spans as dicts, with their texts."""
    columns = data["spans"]
    kinds = ["kernel", "call", "upload", "download", "peer", "wait", "host", "range"]
    rows = [dict(zip(columns, row)) for row in zip(*columns.values())]
    for row in rows:
        row["kind"] = kinds[row["kind"]]
        row["lane"] = data["lanes"][row["lane"]]
        for name in ("name", "expression", "place", "places"):
            row[name] = data["texts"][row[name]]
    return rows


def two_streams(n=200_000):
    a = cp.asarray(np.arange(float(n)))
    first, second = cp.cuda.Stream(), cp.cuda.Stream()
    with first, cp.profiler.time_range("on the first"):
        b = cp.sin(a) * 2
    with second, cp.profiler.time_range("on the second"):
        c = cp.cos(a) + 1
        d = (b + c).sum()
    return float(d)


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "out.html"
    with HERE, cp.profiler.timeline(path):
        two_streams()
        cp.sort(cp.asarray(np.arange(1000.0)[::-1].copy())).tolist()
    return path


def test_the_page_holds_what_ran(page):
    data = contents(page)
    spans = spans_of(data)
    by_kind = {kind: [s for s in spans if s["kind"] == kind] for kind in {s["kind"] for s in spans}}
    kernel = next(s for s in by_kind["kernel"] if "sin" in s["name"])
    assert re.search(r"%0 = sin\(a\) float64 \(200000,\)\n%1 = multiply\(%0, 2\)", kernel["expression"])
    assert kernel["place"].startswith(__file__) and kernel["place"] in data["sources"]
    assert data["sources"][kernel["place"]] == "b = cp.sin(a) * 2"
    assert kernel["bytes"] == 2 * 8 * 200_000
    assert kernel["lane"]["device"] == HERE.name and kernel["lane"]["bus"]["memory"] > 0
    summed = next(s for s in by_kind["kernel"] if "sum" in s["name"])
    assert summed["lane"] != kernel["lane"]
    assert any(s["name"] == "sort" for s in by_kind["call"])
    assert {s["name"] for s in by_kind["range"]} == {"on the first", "on the second"}
    assert [s["bytes"] for s in by_kind["upload"]] == [8 * 200_000, 8000]
    assert all(s["lane"]["host"] for s in by_kind["range"] + by_kind["host"])
    for span in spans:
        assert span["begin"] >= 0 and span["begin"] + span["length"] <= data["duration"]


def test_work_of_a_stream_is_in_order(page):
    lanes = {}
    for span in sorted(spans_of(contents(page)), key=lambda s: s["begin"]):
        if not span["lane"]["host"]:
            lanes.setdefault(span["lane"]["name"], []).append(span)
    for spans in lanes.values():
        for one, other in itertools.pairwise(spans):
            assert one["begin"] + one["length"] <= other["begin"] + 5000  # the clocks of host and device


def test_an_error_in_the_block_leaves_a_page(tmp_path):
    with pytest.raises(ZeroDivisionError), cp.profiler.timeline(tmp_path / "out.html"):
        cp.evaluate(cp.ones(5) + 1)
        raise ZeroDivisionError
    assert any("add" in s["name"] for s in spans_of(contents(tmp_path / "out.html")))
    assert not cp._core.is_recording()


def test_a_page_that_cannot_be_written_is_known_at_once(tmp_path):
    with pytest.raises(FileNotFoundError), cp.profiler.timeline(tmp_path / "nowhere" / "out.html"):
        raise AssertionError("the block must not run")
    assert not cp._core.is_recording()


def test_recordings_may_be_nested(tmp_path):
    with cp.profiler.timeline(tmp_path / "outer.html"):
        cp.evaluate(cp.ones(5) + 1)
        with cp.profiler.timeline(tmp_path / "inner.html"):
            cp.evaluate(cp.ones(5) * 3)
        cp.evaluate(cp.ones(5) - 4)
    names = lambda page: {s["name"] for s in spans_of(contents(tmp_path / page)) if s["kind"] == "kernel"}
    assert len(names("inner.html")) == 1 < len(names("outer.html"))


def test_text_of_the_program_is_no_html(tmp_path):
    with cp.profiler.timeline(tmp_path / "out.html", title="</title><script>bad()</script>"):
        with cp.profiler.time_range("</script><script>bad()</script>"):
            pass
    text = (tmp_path / "out.html").read_text()
    assert text.count("<script") == 2
    assert any("bad" in s["name"] for s in spans_of(contents(tmp_path / "out.html")))


def test_a_script_is_profiled(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        "import sys\nimport cuprum as cp\nx = float((cp.ones(10) + 1).sum())\nprint(sys.argv[1], x)\nsys.exit(3)\n"
    )
    found = subprocess.run(
        [sys.executable, "-m", "cuprum", "profile", "-o", str(tmp_path / "t.html"), str(script), "word", "-o"],
        capture_output=True, text=True, env={**os.environ, "CUPRUM_DEVICE": HERE.name},
    )  # fmt: skip
    assert found.stdout.split() == ["word", "20.0"], found.stderr
    assert found.returncode == 3
    kernel = next(s for s in spans_of(contents(tmp_path / "t.html")) if s["kind"] == "kernel")
    assert kernel["place"] == f"{script}:3"


@needs_browser
def test_the_page_in_a_browser(page, tmp_path):
    with Browser() as browser:
        browser.open(page)
        assert not browser.errors
        data = contents(page)
        assert (
            browser.evaluate("performance.getEntriesByType('resource').length") == 0
        )  # nothing from elsewhere
        # Spans: the canvas shows them where the page says that they are.
        kernel = browser.evaluate(
            "Array.from({length: N}, (_, i) => i)"
            ".find(i => kindOf(i) === 'kernel' && text(S.name[i]).includes('sin'))"
        )
        browser.evaluate(f"reveal({kernel}); draw()")
        x, y = browser.evaluate(
            f"(() => {{ const r = canvas.getBoundingClientRect(), i = {kernel};"
            " return [r.x + toX(S.begin[i] + S.length[i] / 2),"
            " r.y + laneTop[S.lane[i]] + HEAD + 8 + rowOf[i] * ROW]; })()"
        )
        pixel = browser.evaluate(
            f"Array.from(pen.getImageData(({x} - canvas.getBoundingClientRect().x) * devicePixelRatio,"
            f" ({y} - canvas.getBoundingClientRect().y - 6) * devicePixelRatio, 1, 1).data).join()"
        )
        wanted = browser.evaluate(f"colourOf({kernel})")
        assert pixel == ",".join(str(int(wanted[i : i + 2], 16)) for i in (1, 3, 5)) + ",255"
        browser.click(x, y)
        detail = browser.evaluate("document.getElementById('detail').innerText")
        assert "sin multiply" in detail and "b = cp.sin(a) * 2" in detail and "3.20 MB" in detail
        # Zoom, by the wheel, around the pointer; the button shows all of it again.
        browser.click(*browser.evaluate("(r => [r.x + 5, r.y + 5])($('fit').getBoundingClientRect())"))
        assert browser.evaluate("view.begin === 0 && view.end === total")
        before = browser.evaluate(f"toTime({x} - canvas.getBoundingClientRect().x)")
        browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-240)
        browser.evaluate("new Promise(done => setTimeout(done, 100))")
        span = browser.evaluate("(view.end - view.begin) / total")
        assert 0.3 < span < 0.45
        after = browser.evaluate(f"toTime({x} - canvas.getBoundingClientRect().x)")
        assert before == pytest.approx(after, rel=1e-3, abs=data["duration"] * 1e-3)
        # Search: as typed.
        browser.evaluate("$('search').focus()")
        browser.type("cos(a)")
        wanted = sum("cos(a)" in s["expression"] for s in spans_of(data))
        assert wanted > 0
        assert browser.evaluate("$('found').innerText") == f"{wanted} match" + ("es" if wanted > 1 else "")
        assert browser.evaluate("matches.reduce((sum, m) => sum + m, 0)") == wanted
        browser.evaluate("$('next').click()")
        assert browser.evaluate("text(S.expression[chosen])").count("cos(a)") == 1
        browser.evaluate("$('search').value = ''; search('')")
        # The table: the costliest first, and a row chooses its work.
        totals = browser.evaluate("Array.from($('costs').tBodies[0].rows, r => groups[r.dataset.group].time)")
        assert totals == sorted(totals, reverse=True) and len(totals) >= 4
        browser.evaluate("$('costs').tBodies[0].rows[1].click()")
        assert browser.evaluate("chosenGroup === +$('costs').tBodies[0].rows[1].dataset.group")
        assert browser.evaluate("$('costs').tBodies[0].rows[1].classList.contains('chosen')")
        browser.evaluate(
            "Array.from($('costs').tHead.rows[0].cells).find(c => c.dataset.key === 'bytes').click()"
        )
        moved = browser.evaluate("Array.from($('costs').tBodies[0].rows, r => groups[r.dataset.group].bytes)")
        assert moved == sorted(moved, reverse=True)
        assert not browser.errors
        browser.screenshot(tmp_path / "page.png")
        assert (tmp_path / "page.png").stat().st_size > 10_000


@needs_browser
def test_a_hundred_thousand_spans_are_drawn(tmp_path):
    """Drawing all of them takes few operations: what is narrower than a pixel is drawn once."""
    from cuprum.profiler import _timeline

    n = 100_000
    columns = {name: [0] * n for name in ("kind", "lane", "name", "expression", "places", "place", "pinned")}
    columns |= {"begin": list(range(0, n * 1000, 1000)), "length": [900] * n, "bytes": [8] * n}
    lane = {"name": "stream 0", "host": False, "device": "cpu", "bus": {"memory": 1e10, "host": 1e10}}
    data = {"title": "many", "subtitle": "", "duration": n * 1000, "texts": ["add"], "sources": {}}
    data |= {"spans": columns, "lanes": [lane]}
    (tmp_path / "many.html").write_text(_timeline._page("many", data))
    with Browser() as browser:
        browser.open(tmp_path / "many.html")
        assert not browser.errors
        drawn = browser.evaluate(
            "(() => { let n = 0; const rect = pen.fillRect.bind(pen);"
            " pen.fillRect = (...a) => { ++n; rect(...a); }; draw(); return n; })()"
        )
        assert 100 < drawn < 4000
        assert browser.evaluate("search('add')") == n
