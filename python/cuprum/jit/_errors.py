"""Errors of a translation point at the Python line."""


class Located(Exception):
    """An error on its way out of the translation: what went wrong, and the innermost node that it went wrong
    at.
    """

    def __init__(self, error, node):
        self.error = error
        self.node = node


def marked(source, node):
    """The place of a node: file, line, function, the line itself and a mark below the expression."""
    line = source.first_line + node.lineno - 1
    text = source.lines[node.lineno - 1].rstrip()
    bare = text.lstrip()
    start = node.col_offset - (len(text) - len(bare))
    stop = node.end_col_offset if node.end_lineno == node.lineno else len(text)
    mark = " " * start + "^" * max(1, stop - (len(text) - len(bare)) - start)
    return f'  File "{source.file}", line {line}, in {source.name}\n    {bare}\n    {mark}'


def located(error, source):
    """The error that the user sees, of the class that it had."""
    text = f"cuprum.jit: {error.error}\n{marked(source, error.node)}"
    kind = type(error.error)
    try:
        return kind(text)
    except TypeError:  # a class of the program's own, with other arguments
        return ValueError(text)


def unsupported(what):
    return ValueError(f"{what} not supported in a kernel")
