"""
Generates `src/trapline/_sync` from `src/trapline/_async`, so that each operation is written once: `python
tools/make_sync.py`. With `--check` nothing is written; the exit code is 1 if something would change.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "trapline"
NOTE = "# Generated from _async by tools/make_sync.py. Change it there.\n"

def _imports(found: re.Match[str]) -> str:
    kept = [name for name in found[1].split(", ") if name != "Awaitable"]
    return f"from collections.abc import {', '.join(sorted(name.removeprefix('Async') for name in kept))}"


REPLACEMENTS: list[tuple[str, str | Callable[[re.Match[str]], str]]] = [
    (r"\bAsyncGenerator\[(\w+), None\]", r"Generator[\1, None, None]"),
    (r"from collections\.abc import ([^\n]*)", _imports),
    (r"Callable\[(\[[^\]]*\]|\.\.\.), Awaitable\[(.*?)\]\](?=[,)])", r"Callable[\1, \2]"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\bAbstractAsyncContextManager\b", "AbstractContextManager"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\basync (def|with|for) ", r"\1 "),
    (r"\bawait ", ""),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (r"\baclose\b", "close"),
    (r"\baread\b", "read"),
    (r"\baiter_bytes\b", "iter_bytes"),
    (r"\banyio\.sleep\b", "time.sleep"),
]


def made_from(source: str) -> str:
    """Returns the synchronous version of a file."""
    for pattern, replacement in REPLACEMENTS:
        source = re.sub(pattern, replacement, source)
    # A file that also uses the clock imports the module already.
    source = source.replace("import anyio\n", "" if "\nimport time\n" in source else "import time\n")
    return NOTE + re.sub(r"\n\n\n(?=from|import)", "\n\n", source)


def main(arguments: list[str]) -> int:
    target = PACKAGE / "_sync"
    wanted = {path.name: made_from(path.read_text()) for path in sorted((PACKAGE / "_async").glob("*.py"))}
    present = {path.name: path.read_text() for path in target.glob("*.py")}
    if "--check" in arguments:
        return 0 if wanted == present else 1
    target.mkdir(exist_ok=True)
    for name in present.keys() - wanted.keys():
        (target / name).unlink()
    for name, text in wanted.items():
        (target / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
