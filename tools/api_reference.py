"""The function reference as Markdown pages, made from the docstrings of the installed package.

`pages()` gives {path: text} for MkDocs (tools/site_pages.py). A family of functions (one module of python/cuprum) is
one page, so a new function appears by itself, under the name and the words that its author gave it.
`python tools/api_reference.py sum ndarray.sort` prints entries.
"""

import importlib
import inspect
import pkgutil
import re
import sys

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
    return f"{name}{text}"


def body(doc):
    """A docstring as Markdown: its examples become code blocks."""
    blocks = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(doc)):
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


def heading(name, level="##"):
    """A heading with an anchor. Underscores around a name would be read as bold print."""
    return f"{level} `{name}` {{ #{anchor(name)} }}\n"


def anchor(name):
    return name.strip("_") or name


def entry(name, value, prefix="cp.", level="##"):
    """Heading, signature and documentation of one name."""
    doc = inspect.getdoc(value) or ""
    call = signature(prefix + name, value)
    if isinstance(value, cp.ufunc):  # its first line repeats the signature
        doc = doc.partition("\n\n")[2]
    elif not callable(value):
        call = prefix + name
    return f"{heading(name, level)}\n```python\n{call}\n```\n\n{body(doc)}\n"


def constant_entry(name, value, prefix="cp."):
    return f"{heading(name)}\n`{prefix}{name}` = `{value!r}`\n"


def is_numpys(value):
    """Dtypes, their functions and exceptions are NumPy's own objects."""
    return (getattr(value, "__module__", None) or "").partition(".")[0] == "numpy"


def sentence(text):
    """The first sentence of a docstring, without the full stop."""
    return re.split(r"[.:;](?:\s|$)", inspect.cleandoc(text).replace("\n", " "), maxsplit=1)[0]


def family_page(module):
    """One page for the functions of a module of the package; ufuncs have a page of their own."""
    parts, numpys = [], []
    for name in sorted(module.__all__, key=str.lower):
        value = getattr(module, name)
        if isinstance(value, cp.ufunc):
            continue
        if is_numpys(value) or isinstance(value, (dict, tuple)) or inspect.ismodule(value):
            numpys.append(name)
        elif value is None or isinstance(value, (float, int, str)):
            parts.append(constant_entry(name, value))
        else:
            parts.append(entry(name, value))
    intro = inspect.cleandoc(module.__doc__)
    if numpys:
        parts.append("## NumPy's own objects\n\n" + ", ".join(f"`cp.{name}`" for name in numpys) + "\n")
    if not parts:
        return None
    return f"# {sentence(intro)}\n\n{intro}\n\n{PREAMBLE}\n" + "\n".join(parts)


def ufunc_page():
    """All ufuncs, each under its first name, with the others beside it."""
    names = {}
    for name in cp.__all__:
        value = getattr(cp, name)
        if isinstance(value, cp.ufunc):
            names.setdefault(value.__name__, []).append(name)
    parts = []
    for name in sorted(names):
        others = [f"`cp.{other}`" for other in names[name] if other != name]
        text = entry(name, getattr(cp, names[name][0]))
        parts.append(text + (f"\nAlso {', '.join(others)}.\n" if others else ""))
    return (
        "# Universal functions\n\n"
        "Element by element, with broadcasting; recorded and fused. Every one is an object with the methods `reduce`, "
        "`accumulate`, `outer` and `at` where they make sense, as in NumPy.\n\n"
        + PREAMBLE
        + "\n"
        + "\n".join(parts)
    )


def class_page(cls, title):
    """Attributes and methods of a class, inherited ones of Python left out."""
    attributes, methods = [], []
    for name in sorted(dir(cls)):
        value = inspect.getattr_static(cls, name)
        if name.startswith("_") or inspect.isclass(value):
            continue
        documented = getattr(cls, name)
        if callable(documented):
            methods.append(entry(name, documented, prefix="x.", level="###"))
        else:
            attributes.append(
                f"{heading(name, '###')}\n`x.{name}`\n\n{body(inspect.getdoc(documented) or '')}\n"
            )
    return (
        f"# {title}\n\n{body(inspect.getdoc(cls) or '')}\n\n{PREAMBLE}\n## Attributes\n\n"
        + "\n".join(attributes)
        + "\n## Methods\n\n"
        + "\n".join(methods)
    )


def submodules():
    """The public modules of the package, as `cuprum.cuda`; commands are not for import."""
    found = [m.name for m in pkgutil.walk_packages(cp.__path__, "cuprum.") if "._" not in m.name]
    found = [name for name in found if not name.startswith(("cuprum.bench", "cuprum.libcuprum"))]
    modules = [importlib.import_module(name) for name in found]
    return [module for module in modules if hasattr(module, "__all__")]


def submodule_page(module):
    name = module.__name__.removeprefix("cuprum.")
    members = {member: getattr(module, member) for member in module.__all__}
    parts = [
        (entry if callable(value) else constant_entry)(member, value, prefix=f"cp.{name}.")
        for member, value in members.items()
        if not inspect.ismodule(value)
    ]
    return f"# cuprum.{name}\n\n{inspect.cleandoc(module.__doc__)}\n\n{PREAMBLE}\n" + "\n".join(parts)


def families():
    """The modules of public functions, in the order of their titles."""
    return sorted(cp._families, key=lambda module: sentence(module.__doc__).lower())


def index_page(listed):
    """Every public name, by page."""
    lines = [
        "# Reference\n",
        "Made from the docstrings: `help(cp.sum)` shows the same text. Signatures are NumPy's.\n",
    ]
    for path, title, names in listed:
        lines.append(f"## [{title}]({path})\n")
        lines.append(" · ".join(f"[`{name}`]({path}#{anchor(name)})" for name in names) + "\n")
    return "\n".join(lines)


def pages():
    """{path below reference/: Markdown}, with the index first."""
    result, listed = {}, []

    def add(path, text):
        result[path] = text
        title = re.match(r"# (.*)", text)[1]
        names = re.findall(r"^###? `(\S+)` \{ #\S+ \}$", text, re.MULTILINE)
        listed.append((path, title, names))

    add("ndarray.md", class_page(cp.ndarray, "ndarray"))
    add("ufuncs.md", ufunc_page())
    for module in families():
        text = family_page(module)
        if text:
            add(module.__name__.rpartition("._")[2].replace("_", "-") + ".md", text)
    for module in submodules():
        add(module.__name__.removeprefix("cuprum.") + ".md", submodule_page(module))
    return {"index.md": index_page(listed), **result}


def main():
    for name in sys.argv[1:]:
        value = cp
        for part in name.split("."):
            value = getattr(value, part)
        print(entry(name, value))


if __name__ == "__main__":
    main()
