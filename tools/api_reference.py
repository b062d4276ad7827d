"""The function reference as Markdown pages, made from the docstrings of the installed package.

`pages()` gives {path: text} for MkDocs (tools/site_pages.py), `folders()` their place in the navigation. The main
namespace is arranged by tools/reference_headings.py, every other module is a page. `python tools/api_reference.py sum
ndarray.sort` prints entries.
"""

import functools
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap

import numpy as np
import reference_headings

import cuprum as cp

PREAMBLE = "The examples assume `import cuprum as cp` and `import numpy as np`.\n"


def signature(name, value):
    """The call as a user writes it; the name alone for what is not called."""
    try:
        text = str(inspect.signature(value))
    except (AssertionError, TypeError, ValueError):
        return name
    text = re.sub(r"<no value>|<object object at \w+>", "...", text).replace("(self, /, ", "(")
    text = text.replace("(self, /)", "()").replace("(self, ", "(").replace("(self)", "()")
    indent = " " * min(len(name) + 1, 24)
    return textwrap.fill(
        f"{name}{text}", 84, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


# -- Docstrings -----------------------------------------------------------------------------------------


def sections(doc):
    """{title: text} of a docstring, whose head has the title ""."""
    parts = re.split(r"^(\w[\w ]+)\n-{4,}\n", inspect.cleandoc(doc), flags=re.MULTILINE)
    return {"": parts[0].strip()} | {t: text.strip("\n") for t, text in zip(parts[1::2], parts[2::2])}


def prose(text):
    """Paragraphs as Markdown: examples become code blocks."""
    blocks = []
    for block in re.split(r"\n\s*\n", text):
        if block.startswith(">>>"):
            if blocks and blocks[-1].startswith("```pycon"):
                blocks[-1] = blocks[-1].removesuffix("\n```") + f"\n\n{block}\n```"
            else:
                blocks.append(f"```pycon\n{block}\n```")
        elif block.startswith("    "):
            blocks.append(f"```text\n{inspect.cleandoc(block)}\n```")
        else:
            blocks.append(block)
    return "\n\n".join(blocks)


def parameter_list(text):
    """`axis : int` and its sentence as an item of a list."""
    found = re.findall(r"^(\S.*?) : (.*)\n((?:    .*\n?)+)", text, re.MULTILINE)
    return "\n".join(
        f"- **`{names}`** : *{kind}*{' ' * 2}\n  {' '.join(words.split())}" for names, kind, words in found
    )


def result_list(text):
    kind, _, words = text.partition("\n")
    return f"*{kind}*  \n{' '.join(words.split())}"


def body(doc):
    """A docstring as Markdown."""
    parts = sections(doc)
    text = [prose(parts.pop(""))]
    for title, content in parts.items():
        if title == "Parameters":
            text.append(f"**Parameters**\n\n{parameter_list(content)}")
        elif title == "Returns":
            text.append(f"**Returns**\n\n{result_list(content)}")
        elif title == "Examples":
            text.append(prose(content))
        else:
            text.append(f"**{title}**\n\n{content}")
    return "\n\n".join(text)


def sentence(doc):
    """The first sentence of a docstring, for a list of functions."""
    text = " ".join(sections(doc)[""].split("\n\n")[0].split())
    return re.split(r"(?<=[^.][.;:])\s", text, maxsplit=1)[0].rstrip(".;:")


# -- Entries --------------------------------------------------------------------------------------------


def anchor(name):
    return name.strip("_") or name


def heading(name, level):
    """A heading with an anchor. Underscores around a name would be read as bold print."""
    return f"{level} `{name}` {{ #{anchor(name)} }}\n"


def ufunc_doc(value):
    """The sentence and the example of a ufunc; its parameters are those of all."""
    parts = sections(value.__doc__.partition("\n\n")[2])
    operands = {1: "x", 2: "x1, x2"}.get(value.nin, "operands")
    common = f"Takes `{operands}` and the [parameters of all ufuncs](ufuncs.md#parameters)."
    return "\n\n".join([prose(parts[""]), common, prose(parts.get("Examples", ""))])


def entry(name, value, prefix="cp.", level="###"):
    """Heading, signature and documentation of one name."""
    if value is None or isinstance(value, (float, int, str, tuple, dict)):
        return f"{heading(name, level)}\n`{prefix}{name}` = `{value!r}`\n"
    if isinstance(value, cp.ufunc):
        own = value.__name__
        text = ufunc_doc(value) + (f"\n\nAnother name of `{prefix}{own}`." if own != name else "")
        return f"{heading(name, level)}\n```python\n{signature(prefix + name, value)}\n```\n\n{text}\n"
    call = signature(prefix + name, value) if callable(value) else prefix + name
    return f"{heading(name, level)}\n```python\n{call}\n```\n\n{body(inspect.getdoc(value) or '')}\n"


def summary(members):
    """A table of names and sentences, with links to the entries below."""
    rows = []
    for name, value in members:
        doc = inspect.getdoc(value) or ""
        if isinstance(value, cp.ufunc):
            doc = doc.partition("\n\n")[2]
        text = (
            sentence(doc) if not isinstance(value, (float, int, str)) and value is not None else repr(value)
        )
        rows.append(f"| [`{name}`](#{anchor(name)}) | {text.replace('|', chr(92) + '|')} |")
    return "| | |\n|---|---|\n" + "\n".join(rows) + "\n"


# -- Pages ----------------------------------------------------------------------------------------------


def heading_page(title, parts):
    """A page of functions of the main namespace."""
    parts = [(part, [(n, getattr(cp, n)) for n in names]) for part, names in parts]
    lists = "\n".join(f"## {part}\n\n{summary(members)}" for part, members in parts)
    entries = "\n".join(entry(name, value) for _, members in parts for name, value in members)
    return f"# {title}\n\n{PREAMBLE}\n{lists}\n## Functions\n\n{entries}"


def is_numpys(value):
    """Dtypes, their functions and exceptions are NumPy's own objects."""
    return (getattr(value, "__module__", None) or "").partition(".")[0] == "numpy"


def is_shown(name):
    """Is a public name to have an entry of its own? Types, constants of NumPy's and modules are named on one page."""
    value = getattr(cp, name)
    its_own = not is_numpys(value) and not inspect.ismodule(value) and name not in ("ndarray", "ufunc")
    return its_own and not isinstance(value, (bool, dict, tuple, np.bool))


def numpys_page():
    names = sorted(n for n in cp.__all__ if not is_shown(n) and n not in ("ndarray", "ufunc"))
    return (
        "# NumPy's own objects\n\nDtypes, scalar types, their functions and exceptions are NumPy's: "
        "`cp.float32 is np.float32`.\n\n" + ", ".join(f"`cp.{name}`" for name in names) + "\n"
    )


def ufunc_page():
    """What all ufuncs have in common, and their names."""
    where = {name: path for path, names in placed().items() for name in names}
    names = sorted(name for name in cp.__all__ if isinstance(getattr(cp, name), cp.ufunc))
    links = ", ".join(f"[`{name}`]({where[name]}#{anchor(name)})" for name in names if name in where)
    common = parameter_list(sections(cp.add.__doc__.partition("\n\n")[2])["Parameters"])
    methods = "\n".join(
        entry(name, getattr(cp.add, name), "cp.add.")
        for name in ("reduce", "accumulate", "reduceat", "outer", "at")
    )
    return (
        "# Universal functions\n\nA ufunc works element by element, with broadcasting. Calls are recorded and fused "
        f"with their neighbours.\n\n{links}\n\n## Parameters\n\nAll ufuncs take these:\n\n{common}\n\n"
        f"## Methods\n\n{methods}"
    )


def class_page(cls, title):
    """Attributes and methods of a class, inherited ones of Python left out."""
    attributes, methods = [], []
    for name in sorted(dir(cls)):
        value = inspect.getattr_static(cls, name)
        if name.startswith("_") or inspect.isclass(value):
            continue
        (methods if callable(getattr(cls, name)) else attributes).append((name, getattr(cls, name)))
    shown = "\n".join(
        f"{heading(name, '###')}\n`x.{name}`\n\n{body(inspect.getdoc(value) or '')}\n"
        for name, value in attributes
    )
    called = "\n".join(entry(name, value, prefix="x.") for name, value in methods)
    return (
        f"# {title}\n\n{body(inspect.getdoc(cls) or '')}\n\n{PREAMBLE}\n{summary(attributes + methods)}\n"
        f"## Attributes\n\n{shown}\n## Methods\n\n{called}"
    )


def submodules():
    """The public modules of the package, as `cuprum.cuda`; commands are not for import."""
    found = [m.name for m in pkgutil.walk_packages(cp.__path__, "cuprum.") if "._" not in m.name]
    found = [name for name in found if not name.startswith(("cuprum.bench", "cuprum.libcuprum"))]
    modules = [importlib.import_module(name) for name in found]
    return [module for module in modules if hasattr(module, "__all__")]


def submodule_page(module, title):
    name = module.__name__.removeprefix("cuprum.")
    members = [(member, getattr(module, member)) for member in module.__all__]
    members = [(member, value) for member, value in members if not inspect.ismodule(value)]
    entries = "\n".join(entry(member, value, prefix=f"cp.{name}.") for member, value in members)
    intro = prose(inspect.cleandoc(module.__doc__))
    return f"# {title}\n\n{intro}\n\n{PREAMBLE}\n{summary(members) if members else ''}\n## Names\n\n{entries}"


MODULE_TITLES = {  # of those that NumPy's users look for by topic
    "cuprum.linalg": "Linear algebra (linalg)",
    "cuprum.fft": "Fourier transforms (fft)",
    "cuprum.random": "Random numbers (random)",
    "cuprum.emath": "Complex results (emath)",
    "cuprum.polynomial": "Series of polynomials (polynomial)",
}


def page_path(title):
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") + ".md"


@functools.cache
def placed():
    """{path: names of the main namespace that the page shows}"""
    return {
        page_path(title): [name for _, names in parts for name in names]
        for title, parts in reference_headings.pages(cp)
    }


def link_targets():
    """{`numpy`-like name: page and anchor}, for tables that link to the reference."""
    found = {name: f"{path}#{anchor(name)}" for path, names in placed().items() for name in names}
    for module in submodules():
        short = module.__name__.removeprefix("cuprum.")
        for name in module.__all__:
            is_page = inspect.ismodule(getattr(module, name))
            found[f"{short}.{name}"] = f"{short}.{name}.md" if is_page else f"{short}.md#{anchor(name)}"
    return found | {f"ndarray.{n}": f"ndarray.md#{anchor(n)}" for n in dir(cp.ndarray) if n[0] != "_"}


@functools.cache
def folders():
    """[(folder of the navigation, {path: Markdown})]"""
    functions = {page_path(t): heading_page(t, parts) for t, parts in reference_headings.pages(cp)}
    modules = {"Main modules": {}, "Polynomial modules": {}, "CUDA and CuPy": {}, "More modules": {}}
    for module in submodules():
        name = module.__name__
        kind = (
            "Main modules" if name in MODULE_TITLES
            else "Polynomial modules" if name.startswith("cuprum.polynomial.")
            else "CUDA and CuPy" if name.startswith(("cuprum.cuda", "cuprum.cupyx"))
            else "More modules"
        )  # fmt: skip
        title = MODULE_TITLES.get(name, name.removeprefix("cuprum."))
        modules[kind][name.removeprefix("cuprum.") + ".md"] = submodule_page(module, title)
    core = {
        "ndarray.md": class_page(cp.ndarray, "The array (ndarray)"),
        "ufuncs.md": ufunc_page(),
        "numpys-own.md": numpys_page(),
    }
    return [("Arrays", core), ("Functions", functions), *modules.items()]


def index_page():
    """Every public name, by page."""
    lines = [
        "# Reference\n",
        "`help(cp.sum)` shows the same text. Signatures are NumPy's. The [C++ reference](cpp.md) has the "
        "same functions, and a [table](../comparison.md) compares the names with NumPy's and CuPy's.\n",
    ]
    for folder, found in folders():
        lines.append(f"## {folder}\n")
        for path, text in found.items():
            names = re.findall(r"^###? `(\S+)` \{ #\S+ \}$", text, re.MULTILINE)
            links = " · ".join(f"[`{name}`]({path}#{anchor(name)})" for name in names)
            lines.append(f"**[{page_title(text)}]({path})**  \n{links}\n")
    return "\n".join(lines)


def page_title(text):
    return re.match(r"# (.*)", text)[1]


def pages():
    """{path below reference/: Markdown}, with the index first."""
    found = {path: text for _, part in folders() for path, text in part.items()}
    return {"index.md": index_page(), **found}


def main():
    for name in sys.argv[1:]:
        value = cp
        for part in name.split("."):
            value = getattr(value, part)
        print(entry(name, value))


if __name__ == "__main__":
    main()
