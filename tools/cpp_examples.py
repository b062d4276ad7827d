"""The examples of the C++ reference, read from tests/cpp/examples: a file for every public header, all run as tests.

An example begins with a comment that names what it is an example of, `// sort, argsort`, and goes on to the next such
comment. `shows(cp::sort(a), "[1 2 3]");`, which checks the text there, is `cp::sort(a)  // [1 2 3]` on the page.
"""

import ast
import re
import textwrap
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "tests/cpp/examples"
HEAD = re.compile(r"^  // (.*(?:\n  // .*)*)\n", re.MULTILINE)
STRING = r'"(?:[^"\\]|\\.)*"'
SHOWS = re.compile(
    rf"^( *)shows\(((?:{STRING}|[^\"])*?),\s*((?:{STRING}\s*)+)\);(?:  // (.*))?$", re.MULTILINE
)
COLUMNS = 100  # of a line that has its text behind it


def shown(match):
    """A checked expression, with its text behind it, or below it where that is longer than the line."""
    indent, expression, texts, remark = match.groups()
    text = "".join(ast.literal_eval(part) for part in re.findall(STRING, texts))
    expression = expression.replace("\n" + " " * len("shows("), "\n") + (f"  // {remark}" if remark else "")
    if not remark and "\n" not in text and len(expression.splitlines()[-1]) + len(text) < COLUMNS:
        return f"{indent}{expression}  // {text}"
    return f"{indent}{expression}\n" + textwrap.indent(text, f"{indent}// ")


def code(body):
    """The lines of an example as a reader sees them: without what the test alone needs."""
    body = textwrap.dedent(re.sub(r"^#.*\n", "", body, flags=re.MULTILINE)).strip("\n")
    if body.startswith("{\n"):
        body = textwrap.dedent(body.removeprefix("{\n").removesuffix("}"))
    return SHOWS.sub(shown, body).rstrip()


def examples(header):
    """[(names, code)] for a header, in the order of the file."""
    path = FOLDER / f"{Path(header).stem}.cpp"
    if not path.exists():
        return []
    inside = path.read_text().partition("\nTEST(")[2].partition("\n")[2].rpartition("\n}")[0] + "\n"
    _, *parts = HEAD.split(inside)
    return [
        (re.sub(r"\s*\n  // ", " ", names).split(", "), code(body))
        for names, body in zip(parts[::2], parts[1::2])
    ]
