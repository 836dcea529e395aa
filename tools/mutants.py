"""Do the tests guard what they should? Small changes to the engine, one at a time, each of which some test must notice.

`python -m tools.mutants --many 200` lists those that no fast test of the engine notices. Which changes are
tried hangs on the text of the code and the seed alone: a change elsewhere leaves the others as they are. `--within`
tries those of them in some rooms only, `--without` leaves test files out that take long, and `--again` tries those that
survived once more.
"""

import argparse
import ast
import copy
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from coverage import Coverage

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = Path(__file__).with_name("mutants.toml")
LEFT_OUT = ("simulate", "mraha_bench")
"""Test equipment."""
SLOWER = 5.0
"""A mutant may take so many times as long as its tests took before it counts as noticed: it hangs."""
LONGEST_S = 180.0
"""Nor longer than this."""
START_S = 30.0
"""Time for pytest to start, on a busy machine."""

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change: where it is, what stood there, and what stands there now."""

    path: str
    where: str
    line: int
    before: str
    after: str
    place: int
    """Which of the expressions of its file, in the order of a walk; and which of what may stand there."""
    number: int

    @property
    def name(self) -> str:
        return f"{self.path} {self.where}: {self.before} -> {self.after}"


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of this expression."""
    match node:
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                other = copy.deepcopy(node)
                other.ops[place] = COMPARED[type(op)]()
                yield other
        case ast.BoolOp(values=values):
            for place in range(len(values)):
                left = [expression for other, expression in enumerate(values) if other != place]
                yield left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.BinOp(op=op) if type(op) in RECKONED:
            yield ast.BinOp(node.left, RECKONED[type(op)](), node.right)
        case ast.IfExp():
            yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1)


class _Sites(ast.NodeVisitor):
    """Walks a module for places to change, with the names of the functions they are in."""

    def __init__(self) -> None:
        self.within: list[str] = []
        self.found: list[tuple[str, ast.expr]] = []

    def visit(self, node: ast.AST) -> None:
        name = node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else ""
        if name:
            self.within.append(name)
        if isinstance(node, ast.expr):
            self.found.append((".".join(self.within), node))
        for field, value in ast.iter_fields(node):
            if field not in ("annotation", "returns", "decorator_list", "type_params"):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        self.visit(child)
        if name:
            self.within.pop()


class _Put(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        after: ast.AST = self.new if node is self.old else super().visit(node)
        return after


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every change that may be made in a file, one by one."""
    name = str(path.relative_to(ROOT))
    for place, (where, node) in enumerate(_sites(ast.parse(path.read_text(encoding="utf-8")))):
        before = ast.unparse(node)
        for number, new in enumerate(changes(node)):
            yield Mutant(name, where, node.lineno, before, ast.unparse(ast.fix_missing_locations(new)), place, number)


def mutated(mutant: Mutant, text: str) -> str:
    """The text of its file with the change."""
    tree = ast.parse(text)
    old = _sites(tree)[mutant.place][1]
    new = list(changes(old))[mutant.number]
    return ast.unparse(ast.fix_missing_locations(_Put(old, ast.copy_location(new, old)).visit(tree)))


def _sites(tree: ast.AST) -> list[tuple[str, ast.expr]]:
    sites = _Sites()
    sites.visit(tree)
    return sites.found


@cache
def every() -> tuple[Mutant, ...]:
    """Every change that may be made in the engine."""
    files = sorted(path for path in (ROOT / "engine").rglob("*.py") if not path.name.startswith(LEFT_OUT))
    return tuple(mutant for path in files for mutant in mutants_of(path))


def chosen(many: int, seed: int) -> list[Mutant]:
    """So many of all changes, by the seed and what they are: another change elsewhere leaves them the same."""
    return sorted(every(), key=lambda mutant: hashlib.sha256(f"{seed} {mutant.name}".encode()).hexdigest())[:many]


class Tests:
    """The fast tests of the engine: which of them run which line, and how long each takes."""

    def __init__(self, folder: Path, without: Sequence[str] = ()) -> None:
        copy_to(folder)
        for name in without:
            (folder / name).unlink()
        data, report = folder / ".coverage", folder / "report.xml"
        (folder / "contexts").write_text("[run]\ndynamic_context = test_function\nsource = engine\n")
        options = ["--rcfile=contexts", f"--data-file={data}", "-m", "pytest", "-q", f"--junitxml={report}"]
        ran = python(folder, "-m", "coverage", "run", *options, "-o", "junit_family=xunit1", "tests/engine")
        if ran.returncode:
            sys.exit(f"the tests fail before anything is changed:\n{ran.stdout[-3000:]}")
        self.seconds: dict[str, float] = {}
        for case in ElementTree.parse(report).iter("testcase"):
            test = f"{case.get('file')}::{str(case.get('name')).partition('[')[0]}"
            self.seconds[test] = self.seconds.get(test, 0.0) + float(case.get("time") or 0)
        coverage = Coverage(data_file=str(data))
        coverage.load()
        self._running: dict[tuple[str, int], set[str]] = {}
        for file in coverage.get_data().measured_files():
            path = str(Path(file).relative_to(folder.resolve()))
            for line, contexts in coverage.get_data().contexts_by_lineno(file).items():
                self._running[path, line] = set(contexts)

    def of(self, mutant: Mutant) -> list[str]:
        """The tests that run the line changed, the quickest first; all that are quick, where it runs on import."""
        contexts = self._running.get((mutant.path, mutant.line), set())
        if "" in contexts:
            return sorted(self.seconds, key=self.seconds.__getitem__)
        names = {
            f"{context.rpartition('.')[0].replace('.', '/')}.py::{context.rpartition('.')[2]}" for context in contexts
        }
        return sorted(names & self.seconds.keys(), key=self.seconds.__getitem__)


def copy_to(folder: Path) -> None:
    for part in ("engine", "tests", "tools"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / part, folder)


def python(folder: Path, *command: str, timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    whole = [sys.executable, *command, *(["-p", "no:cacheprovider"] if "pytest" in command else [])]
    return subprocess.run(
        whole, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=timeout
    )


def noticed(mutant: Mutant, tests: Tests, folder: Path) -> bool:
    """Whether a test fails, or never ends, with this change."""
    running = tests.of(mutant)
    if not running:
        return False
    changed = folder / mutant.path
    true = changed.read_text(encoding="utf-8")
    changed.write_text(mutated(mutant, true), encoding="utf-8")
    try:
        timeout = START_S + min(LONGEST_S, SLOWER * sum(tests.seconds[test] for test in running))
        return python(folder, "-m", "pytest", "-q", "-x", *running, timeout=timeout).returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        changed.write_text(true, encoding="utf-8")


def survivors(
    picked: Sequence[Mutant], minutes: float, processes: int = 1, said: bool = False, without: Sequence[str] = ()
) -> tuple[int, list[Mutant]]:
    """How many changes were tried within the time, and those that no test noticed."""
    until = time.monotonic() + 60 * minutes
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as rest:
        folders = [Path(rest) / str(number) for number in range(processes)]
        for folder in folders:  # Before the tests run, which takes long: whoever works on the code goes on meanwhile.
            folder.mkdir()
            copy_to(folder)
        tests = Tests(Path(first), without)

        def try_one(mutant: Mutant) -> bool | None:
            if time.monotonic() > until:
                return None
            folder = folders.pop()
            seen = noticed(mutant, tests, folder)
            folders.append(folder)
            if said and not seen:
                print(f"survived: {mutant.name}  (line {mutant.line})", flush=True)
            return seen

        with ThreadPoolExecutor(processes) as at_once:
            seen = list(at_once.map(try_one, picked))
    tried = [(mutant, killed) for mutant, killed in zip(picked, seen, strict=True) if killed is not None]
    return len(tried), [mutant for mutant, killed in tried if not killed]


def equivalent() -> dict[str, str]:
    """Changes that change nothing anybody could see, and why."""
    return {load["change"]: load["why"] for load in tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["mutant"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--many", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--within", nargs="+", default=["engine"], metavar="PATH", help="only of these")
    parser.add_argument("--without", nargs="+", default=[], metavar="FILE", help="tests that take long")
    parser.add_argument("--again", type=Path, metavar="FILE", help="only those that survived, by what was printed then")
    given = parser.parse_args()
    picked = [mutant for mutant in chosen(given.many, given.seed) if mutant.path.startswith(tuple(given.within))]
    if given.again:
        survived = given.again.read_text(encoding="utf-8")
        picked = [mutant for mutant in picked if f"survived: {mutant.name}  (line " in survived]
    tried, left = survivors(picked, given.minutes, given.processes, said=True, without=given.without)
    known = sum(mutant.name in equivalent() for mutant in left)
    print(f"{tried} of {len(picked)} tried, {len(left)} survived, {known} of them known to change nothing")


if __name__ == "__main__":
    main()
