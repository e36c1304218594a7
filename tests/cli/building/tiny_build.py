"""`opgen build` of a library of three small files: the whole command, except for generating their text.

`python tiny_build.py VERSION FOLDER`; versions differ in one file.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from opgen import commands, locate, pipeline
from opgen.render import tree
from opgen.render.manifest import Manifest
from opgen.render.pages import File

CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(tiny LANGUAGES CXX)
add_library(tiny SHARED src/user/one.cpp src/user/two.cpp src/user/three.cpp)
install(TARGETS tiny LIBRARY DESTINATION lib)
"""
CODE = '#include <string>\nextern "C" int {name}() {{ return {value} + std::to_string({value}).size(); }}\n'


def files(version: int) -> list[File]:
    values = {"one": 1, "two": 2, "three": version}
    texts = {f"src/user/{name}.cpp": CODE.format(name=name, value=value) for name, value in values.items()}
    texts |= {"CMakeLists.txt": CMAKE, "python/tiny/__init__.py": f"version = {version}\n"}
    texts |= {"sources.json": json.dumps({"files": {}, "kernels": {}}), "LICENSE": "a licence\n"}
    return [File(path, text.encode(), "template") for path, text in sorted(texts.items())]


def publish(out: Path, version: int, say: Callable[[str], None]) -> pipeline.Outcome:
    made = files(version)
    with tree.locked(out, say=say):
        return pipeline.Outcome(tree.publish(out, made, Manifest.of("tiny", str(version), made)), len(made))


def main() -> int:
    version, folder = int(sys.argv[1]), Path(sys.argv[2])
    os.chdir(folder)
    pipeline.generate = lambda request, dry_run, say: publish(request.out, version, say)
    options = ("--name", "tiny", "--backend", "cpu", "--out", "tree", "-j", "2")
    return commands.run(["build", str(locate.share() / "schemas"), *options])


if __name__ == "__main__":
    sys.exit(main())
