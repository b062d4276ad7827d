"""The C++ reference as a Markdown page, made from the public headers (include/cuprum): every declaration with its
sentence. A function whose header leaves the sentence out has that of Python's function of the same name.
"""

import inspect
import re
import textwrap
from pathlib import Path

import api_reference

import cuprum as cp

HEADERS = Path(__file__).resolve().parents[1] / "include/cuprum"
SCOPE = re.compile(r"(?:template <[^;{]*> )?(namespace|class|struct) ([\w:]+)[^;()]*$")
INSIDE = re.compile(  # what is left of the library's own
    r"\)|(class|struct) \w+;|friend |.*\bimplementation\b|else|if |.*= delete;|.*~\w+\(|protected: |by_name named"
    r"|explicit \w+\(std::shared_ptr"
)
TOKEN = re.compile(r"@(?P<doc>\d+)@|(?P<open>[^;{}@]+\{)|(?P<close>\};?)|(?P<said>[^;{}@]+;)|.", re.DOTALL)


def end_of_block(text, at):
    """The place behind the brace that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i + 1
    return len(text)


def without_bodies(text):
    """The declarations alone: bodies, lists of initialisers and lambdas are left out."""
    kept, at = [], 0
    while (brace := text.find("{", at)) >= 0:
        before = text[at:brace]
        head = " ".join(re.split(r"[;}@]", before)[-1].split())
        if SCOPE.match(head) and "enum" not in head:
            kept.append(before + "{")
            at = brace + 1
            continue
        at = end_of_block(text, brace)
        if "enum" in head:
            kept.append(before.rstrip() + " = " + " ".join(text[brace + 1 : at - 1].split()).rstrip(","))
        else:
            kept.append(re.sub(r"(?<=\))\s*: \w[^;}@]*$|\s*= \[\]\s*$|\s*$", "", before, count=1))
        at += 2 * (text[at : at + 2] == "()")
        kept.append("" if text[at : at + 1] == ";" else ";")
    return "".join(kept) + text[at:]


def declarations(path):
    """(scopes, text, sentence) of everything that a header declares for its users, in order; the text ends in `{` where
    a class or a namespace begins."""
    sentences = []

    def mark(match):  # sentences are full of the signs that the rest is told apart by
        sentences.append(" ".join(line.strip().removeprefix("///").strip() for line in match[0].splitlines()))
        return f"@{len(sentences) - 1}@\n"

    remarks = []

    def remark(match):  # what stands behind a member
        remarks.append(match[1])
        return f"~{len(remarks) - 1}~;"

    text = re.sub(r"(?:^ *///.*\n)+", mark, path.read_text(), flags=re.MULTILINE)
    text = re.sub(r"; +// (.*)", remark, text)
    text = re.sub(r"^#.*\n|//.*", "", text, flags=re.MULTILINE)
    text = re.sub(r"= \{([^{}]*)\}(?=[,);~])", r"= <|\1|>", text)  # defaults
    text = re.sub(r"^ private:\n.*?(?=^\};)|^ public:\n", "", text, flags=re.MULTILINE | re.DOTALL)
    scopes, doc = [], ""
    for match in TOKEN.finditer(without_bodies(text)):
        said = " ".join((match["open"] or match["said"] or "").split()).replace("<|", "{").replace("|>", "}")
        said = re.sub(r"~(\d+)~;", lambda number: f";  // {remarks[int(number[1])]}", said)
        if match["doc"]:
            doc = sentences[int(match["doc"])]
        elif match["close"]:
            scopes.pop()
        elif said:
            yield list(scopes), said, doc
            doc = ""
            if match["open"]:
                scopes.append(SCOPE.match(said.rstrip(" {"))[2])


def pythons_sentence(scopes, said):
    """The sentence of Python's function of the same name; classes have capitals there."""
    place = cp
    for name in "::".join(scopes).split("::")[1:]:
        place = getattr(place, name.capitalize() if name == "generator" else name, None)
    called = re.search(r"(\w+)\(", said)
    value = getattr(place, called[1], None) if called else None
    doc = inspect.getdoc(value) or ""
    doc = doc.partition("\n\n")[2] if isinstance(value, cp.ufunc) else doc
    return api_reference.sentence(doc) + "." if callable(value) and doc else ""


def entries(path):
    """The declarations of a header as Markdown. One without a sentence stands below the one before it."""
    parts = []  # headings, and [declarations, sentence]
    for scopes, said, doc in declarations(path):
        if said.endswith("{"):
            kind, name = SCOPE.match(said.rstrip(" {")).groups()
            if scopes and name != "ops":  # but not namespace cuprum itself, nor the library's own
                inside = "::".join([*scopes, name]).removeprefix("cuprum::")
                parts.append(f"### {kind} `{inside}`\n\n{doc}\n")
        elif not INSIDE.match(said):
            sentence = doc or pythons_sentence(scopes, said)
            if sentence or not parts or isinstance(parts[-1], str):
                parts.append([[], sentence])
            parts[-1][0].append(said)
    blocks = [p if isinstance(p, str) else "```cpp\n" + "\n".join(p[0]) + f"\n```\n\n{p[1]}\n" for p in parts]
    return "\n".join(blocks)


def introduction(path):
    """What a header says before its declarations: paragraphs, and indented lines as code."""
    said = re.findall(r"^// ?(.*)$", path.read_text().partition("#pragma once")[0], re.MULTILINE)
    blocks = "\n".join(said).split("\n\n")
    return "\n\n".join(
        f"```cpp\n{textwrap.dedent(block)}\n```" if block.startswith("  ") else " ".join(block.split())
        for block in blocks
    )


def page():
    parts = [
        "# C++ reference\n",
        "What the public headers declare, in namespace `cuprum`. Names, defaults and rules are NumPy's; the "
        "[guide](../cpp.md) tells what is C++'s own.\n",
    ]
    for path in sorted(HEADERS.glob("*.h")):
        parts.append(f"## `cuprum/{path.name}`\n\n{introduction(path)}\n\n{entries(path)}")
    return "\n".join(parts)


if __name__ == "__main__":
    print(page())
