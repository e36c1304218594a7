"""Fuzzing of archives: `python tests/export/fuzz_archives.py --count N --seed S [FILE.pt2 ...]`.

Archives put together by hand, and those given, are damaged: values and keys of their JSON, targets of nodes,
bytes of the zip. Each is loaded and called in a forked child. Anything but a result or a ProgramError is a
problem, and so is code that runs: an audit hook sees files written, modules loaded, processes started. The
same seed makes the same archives.
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import os
import random
import resource
import signal
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import aten
from aten import export
from handmade import files, floats, node, tensor, tensor_meta, zipped

ROOT = Path(__file__).resolve().parents[2]
BATCH = 200
SECONDS = 10
MEMORY = 1 << 30
NUMBERS = (-1, 0, 1, 2**31, 2**40, 2**62, 2**63 - 1, 2**63, 2**200, 1.5, float("nan"), True)
VALUES = (*NUMBERS, None, "", "x", [], {})
SHAPES = ([None], {"as_int": -1}, {"as_none": {}}, {"as_name": "x"}, [{"as_int": 2**40}] * 3, tensor("x"))
KINDS = ("as_ints", "as_tensor", "as_sym_int", "as_device", "x")
TARGETS = """
    _operator.attrgetter _operator.pow _operator.lshift _operator.mul _operator.getitem math.factorial
    builtins.eval load_library::__call__.__call__ torch.ops.aten.resize_.default torch.ops.aten.unfold.default
    torch.ops.aten.as_strided.default torch.ops.aten.zeros.default torch.ops.aten.repeat.default
    torch.ops.aten.convolution.default torch.sym_sum \0 :: ::.""".split()
# Audit events of the interpreter that show that code was loaded or something outside was accessed.
FORBIDDEN = tuple(
    """exec compile import os. subprocess. socket. ctypes.dlopen ctypes.dlsym shutil. pickle. marshal. code.
    pty. webbrowser.""".split()
)


def seeds_of_archives(given: list[str]) -> list[bytes]:
    """Returns the archive of a program with weights that share a file, arithmetic on sizes, several results
    and a text; and the given archives.
    """
    x, number = tensor("x"), {"as_int": 2}
    shared = {
        "w": (tensor_meta([2]), "weight_0"),
        "v": (tensor_meta([2, 2], [0, 1], 2), "weight_0"),
    }
    several = {"name": "n", "arg": x, "kind": 1}
    split = {
        "target": "torch.ops.aten.split.Tensor",
        "inputs": [several, {"name": "split_size", "arg": {"as_int": 1}, "kind": 1}],
        "outputs": [{"as_tensors": [{"name": "a"}, {"name": "b"}]}],
        "metadata": {"stack_trace": 'File "m.py", line 3, in forward\n  x.split(1)'},
    }
    nodes = [
        node("torch.ops.aten.sym_size.int", x, {"as_int": 0}, name="s", kind="as_sym_int"),
        node("_operator.pow", {"as_sym_int": {"as_name": "s"}}, number, name="t", kind="as_sym_int"),
        node("torch.ops.aten.mul.Tensor", x, tensor("p_w"), name="m"),
        node("torch.ops.aten.expand.default", tensor("p_v"), {"as_ints": [3, 2, 2]}, name="e"),
        split,
        node("torch.ops.aten.cat.default", {"as_tensors": [{"name": "b"}, {"name": "a"}]}, number, name="c"),
        node("torch.ops.aten.div.Tensor_mode", tensor("m"), x, rounding_mode={"as_string": "floor"}),
    ]
    nodes[5]["inputs"][1]["arg"] = {"as_int": 0}
    made = zipped({**files(nodes, weights=shared), "archive/data/weights/weight_0": floats(6)})
    return [made.getvalue(), *(Path(g).read_bytes() for g in given)]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Returns all (container, key) within a JSON value."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def damage_json(described: Any, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        found = list(places(described))
        if not found:
            return
        container, key = chance.choice(found)
        way = chance.random()
        if way < 0.2:
            container.pop(key)
        elif way < 0.3:
            container[key] = copy.deepcopy(chance.choice(found)[0])  # a value from elsewhere in the archive
        elif way < 0.5 and (targets := [p for p in found if p[1] == "target"]):
            container, key = chance.choice(targets)
            container[key] = chance.choice(TARGETS)
        elif way < 0.6 and isinstance(container, dict):
            container[chance.choice(KINDS)] = container.pop(key)
        else:
            container[key] = copy.deepcopy(chance.choice(VALUES if chance.random() < 0.7 else SHAPES))


def damage_bytes(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(changed)) if chance.random() < 0.5 else -chance.randrange(1, 400)
        way = chance.random()
        if way < 0.6:
            changed[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        elif way < 0.8:
            del changed[at : at + chance.choice((1, 4, 64))]
        else:
            changed[at:at] = bytes(chance.choice((1, 4, 64)))
    return bytes(changed)


def made(seed: int, index: int, originals: list[bytes]) -> bytes:
    chance = random.Random(f"{seed} {index}")
    original = chance.choice(originals)
    if chance.random() < 0.2:
        return damage_bytes(original, chance)
    with zipfile.ZipFile(io.BytesIO(original)) as archive:
        members = {n: archive.read(n) for n in archive.namelist()}
    described = [n for n in members if n.endswith(".json")]
    name = chance.choice(described + [n for n in described if "/models/" in n] * 3)
    value = json.loads(members[name])
    damage_json(value, chance)
    members[name] = b"[" * 100_000 if chance.random() < 0.002 else json.dumps(value).encode()
    return zipped(members).getvalue()


def judge(content: bytes, seen: list[str]) -> str | None:
    """Returns what is wrong with the outcome; None if nothing is."""
    seen.clear()
    try:
        program = export.load(io.BytesIO(content))
        program(*(aten.ones(2) for _ in range(len(program._signature.names))))
    except export.ProgramError:
        pass
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    return f"ran {seen[0]}" if seen else None


def run_child(indices: range, seed: int, originals: list[bytes], log: int, found: int) -> None:
    seen: list[str] = []
    judge(originals[0], seen)  # loads modules that are imported late
    sys.addaudithook(lambda event, args: note(event, args, seen))
    limit = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    for index in indices:
        content = made(seed, index, originals)
        os.pwrite(log, f"{index:12}".encode(), 0)
        signal.alarm(SECONDS)
        problem = judge(content, seen)
        signal.alarm(0)
        if problem:
            os.write(found, f"seed {seed}, archive {index}: {problem}".replace("\n", " ").encode() + b"\n")


def note(event: str, args: Any, seen: list[str]) -> None:
    written = event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+")
    if written or event.startswith(FORBIDDEN):
        seen.append(f"{event} {args!r}"[:200])


def in_child(indices: range, seed: int, originals: list[bytes]) -> list[str]:
    """Returns the archives' problems, including crashes and hangs; after one, a new child continues."""
    problems: list[str] = []
    while indices:
        with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as found:
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    signal.signal(signal.SIGALRM, signal.SIG_DFL)
                    run_child(indices, seed, originals, log.fileno(), found.fileno())
                    status = 0
                except BaseException as error:
                    os.write(found.fileno(), f"the harness failed: {error!r}\n".encode())
                finally:
                    os._exit(status)
            _, status = os.waitpid(child, 0)
            found.seek(0)
            problems += found.read().decode(errors="replace").splitlines()
            if status == 0:
                break
            log.seek(0)
            last = int(log.read() or indices[0])
        problems.append(f"seed {seed}, archive {last}: wait status {status}")
        indices = range(last + 1, indices.stop)
    return problems


def fuzz(count: int, seed: int, jobs: int = 1, given: list[str] | None = None) -> list[str]:
    originals = seeds_of_archives(given or [])
    pieces = [range(i, min(i + BATCH, count)) for i in range(0, count, BATCH)]
    with ProcessPoolExecutor(jobs) as pool:
        repeated = [seed] * len(pieces), [originals] * len(pieces)
        return [p for found in pool.map(in_child, pieces, *repeated) for p in found]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("files", nargs="*", help="archives that torch.export.save wrote, damaged as well")
    options = parser.parse_args()
    print(f"fuzz: {options.count} archives, seed {options.seed}", flush=True)
    problems = fuzz(options.count, options.seed, options.jobs, options.files)
    for problem in problems:
        print(problem)
    print(f"fuzz: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
