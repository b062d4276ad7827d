"""The C++ reference as a Markdown page, made from the public headers (include/cuprum): every declaration with its
sentence, what its parameters mean, and its example (tools/cpp_examples.py). A sentence that a header leaves out is that
of Python's function of the same name; so are the words about parameters that have its names.
"""

import inspect
import itertools
import re
import textwrap
from pathlib import Path

import api_reference
import cpp_examples

import cuprum as cp

HEADERS = Path(__file__).resolve().parents[1] / "include/cuprum"
SCOPE = re.compile(r"(?:template <[^;{]*> )?(namespace|class|struct) ([\w:]+)[^;()]*$")
INSIDE = re.compile(  # what is left of the library's own
    r"\)|(class|struct) \w+;|friend |.*\bimplementation\b|else|if |.*= delete;|.*~\w+\(|by_name named"
    r"|explicit \w+\(std::shared_ptr|.*\bconcept by_place\b"
)
TOKEN = re.compile(r"@(?P<doc>\d+)@|(?P<open>[^;{}@]+\{)|(?P<close>\};?)|(?P<said>[^;{}@]+;)|.", re.DOTALL)

OWN_PARAMETERS = {  # that have C++'s names
    "type": "The dtype of the result.",
    "path": "The file.",
    "sections": "How many parts.",
    "positions": "Where parts begin, but for the first.",
    "rows": "How many rows.",
    "columns": "How many columns; left out: as many as rows.",
    "by": "Which direction carries the factor 1 / n.",
    "lengths": "The lengths of the transform along the axes; none: all that the array has.",
    "order": "Which norm: a number, infinity too, or a word.",
    "subscripts": "The labels of the axes of each operand and, behind the arrow, of the result.",
}


def end_of(text, at):
    """The place behind the brace or parenthesis that closes the one at `at`."""
    depth, close = 0, {"{": "}", "(": ")"}[text[at]]
    for i in range(at, len(text)):
        depth += (text[i] == text[at]) - (text[i] == close)
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
        at = end_of(text, brace)
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

    text = path.read_text().replace(
        "template <by_place Axes = axis_set>\n", ""
    )  # a set of axes, as users see it
    text = text.replace("std::type_identity_t<Axes>", "axis_set")
    text = re.sub(r"(?:^ *///.*\n)+", mark, text, flags=re.MULTILINE)
    text = re.sub(r"; +// (.*)", remark, text)
    text = re.sub(r"^#.*\n|//.*", "", text, flags=re.MULTILINE)
    text = re.sub(r"= \{([^{}]*)\}(?=[,);~])", r"= <|\1|>", text)  # defaults
    text = re.sub(
        r"^ (?:private|protected):\n.*?(?=^\};)|^ public:\n", "", text, flags=re.MULTILINE | re.DOTALL
    )
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


def signature(said):
    """(name, parameters) of a function's declaration; of anything else there is no name."""
    if said.startswith("using "):
        return "", ""
    while (clause := said.find("requires(")) >= 0:
        said = said[:clause] + said[end_of(said, clause + len("requires")) :]
    plain = said
    while (shorter := re.sub(r"<[^<>()]*(?:\([^<>()]*\))?[^<>()]*>", "", plain)) != plain:
        plain = shorter
    found = re.search(r"((?:\w+::)*operator ?(?:\(\)|[^\s\w(]+|\w+))\(", said) or re.search(
        r"([\w:]+)\(", plain
    )
    if not found:
        return "", ""
    return found[1], found.string[found.end() : end_of(found.string, found.end() - 1) - 1]


def qualified(scopes, said):
    """The name of a function as a program writes it behind `cp::`; a member's body outside its class has none."""
    name = signature(said)[0]
    return "::".join([*scopes, name]).removeprefix("cuprum::") if name and "::" not in name else ""


def needs_example(scopes, said):
    return bool(qualified(scopes, said)) and not said.endswith("{") and not INSIDE.match(said)


def pythons_doc(scopes, said):
    """What Python says of its function of the same name; classes have capitals there."""
    place = cp
    for name in "::".join(scopes).split("::")[1:]:
        place = getattr(place, name.capitalize() if name == "generator" else name, None)
    value = getattr(place, signature(said)[0] or " ", None)
    doc = inspect.getdoc(value) or "" if callable(value) else ""
    return doc.partition("\n\n")[2] if isinstance(value, cp.ufunc) else doc


def pythons_sentence(scopes, said):
    doc = pythons_doc(scopes, said)
    return api_reference.sentence(doc) + "." if doc else ""


def parameter_names(said):
    """{name: declaration} of a function's parameters."""
    given = re.split(r", (?=[\w:<>, ]*[&\w] ?\w+(?: =|,|$))", signature(said)[1])
    return {name[1]: text for text in given if (name := re.search(r"(\w+)(?: = .*)?$", text))}


def parameters(scopes, said):
    """{name: what Python says of it} for a function's parameters, but for the operands that its sentence speaks of."""
    doc = pythons_doc(scopes, said)
    table = api_reference.sections(doc).get("Parameters", "") if doc else ""
    told = {}
    for names, words in re.findall(r"^(\S.*?) : .*\n((?:    .*\n?)+)", table, re.MULTILINE):
        told |= dict.fromkeys(names.split(", "), " ".join(words.split()))
    if "size" in told:  # of random numbers, Python's word for their shape
        told["shape_parameter"] = told.pop("shape", "")
    given, found = parameter_names(said), {}
    for name, text in given.items():
        words = told.get(name) or OWN_PARAMETERS.get(name, "") * bool(doc)
        if "optional" not in text:  # there is no way to say None
            words = re.sub(r" ?None [^.]*\.", "", words)
        words = words.replace("None means", "Left out:").replace("None ", "Left out, it ")
        if set(re.findall(r"`([\w.]+)`", words)) <= set(given) and name not in ("a", "b", "x", "m", "out"):
            found[name] = words
    return {name: words for name, words in found.items() if words}


class Entry:
    """Declarations that share a sentence."""

    def __init__(self, sentence):
        self.sentence = sentence
        self.declarations, self.names, self.parameters = [], set(), {}

    def append(self, scopes, said):
        self.declarations.append(said)
        self.names.add(qualified(scopes, said) or re.sub(r".*?(\w+)(?: = .*)?;$", r"\1", said))
        self.parameters |= parameters(scopes, said)

    def told(self):
        """The parameters; those that share their words as one item."""
        items = [
            (words, ", ".join(f"`{name}`" for name, _ in group))
            for words, group in itertools.groupby(self.parameters.items(), key=lambda item: item[1])
        ]
        return "\n".join(f"- {names}: {words}" for words, names in items)

    def markdown(self, examples):
        code = "\n\n".join(text for names, text in examples if self.names & set(names))
        parts = ["```cpp\n" + "\n".join(self.declarations) + "\n```", self.sentence, self.told()]
        parts += [f"```cpp\n{code}\n```"] if code else []
        return "\n\n".join(part for part in parts if part) + "\n"


def entries(path):
    """The declarations of a header as Markdown. One without a sentence stands below the one before it. Overloads share
    their examples, which follow the last of them."""
    parts = []  # headings and entries
    for scopes, said, doc in declarations(path):
        if said.endswith("{"):
            kind, name = SCOPE.match(said.rstrip(" {")).groups()
            if scopes and name != "ops":  # but not namespace cuprum itself, nor the library's own
                inside = "::".join([*scopes, name]).removeprefix("cuprum::")
                parts.append(f"### {kind} `{inside}`\n\n{doc}\n")
        elif not INSIDE.match(said) and "::" not in signature(said)[0]:
            overload = parts and isinstance(parts[-1], Entry) and qualified(scopes, said) in parts[-1].names
            sentence = doc or ("" if overload else pythons_sentence(scopes, said))
            if sentence or not parts or isinstance(parts[-1], str):
                parts.append(Entry(sentence))
            for earlier in parts:
                if isinstance(earlier, Entry):
                    earlier.names.discard(qualified(scopes, said))
            parts[-1].append(scopes, said)
    examples = cpp_examples.examples(path)
    return "\n".join(part if isinstance(part, str) else part.markdown(examples) for part in parts)


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
        "[guide](../cpp.md) tells what is C++'s own. Every example is compiled and run by the tests "
        "(`namespace cp = cuprum;`); behind an expression stands what it gives, as NumPy prints it.\n",
    ]
    for path in sorted(HEADERS.glob("*.h")):
        parts.append(f"## `cuprum/{path.name}`\n\n{introduction(path)}\n\n{entries(path)}")
    return "\n".join(parts)


if __name__ == "__main__":
    print(page())
