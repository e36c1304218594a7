"""Graphs of this library's operators: traces of calls, and programs in PyTorch's archives.

`trace(f, *args)` records one call as a tree: modules, functions, operators, and what operators call; each
level of it is a graph. `load(path)` reads an archive of `torch.export.save` or `save` and needs no PyTorch;
`from_exported_program` takes PyTorch's ExportedProgram itself. Both return an `ExportedProgram`, which is
called like the model.
"""

from __future__ import annotations

from ._archive import load
from ._drawing import Drawing
from ._errors import ExportError, ProgramError
from ._exported import from_exported_program
from ._program import ExportedProgram
from ._signature import ExportGraphSignature, InputKind, InputSpec, OutputKind, OutputSpec
from ._trace import Trace, trace
from ._writer import save

__all__ = [
    "Drawing",
    "ExportError",
    "ExportGraphSignature",
    "ExportedProgram",
    "InputKind",
    "InputSpec",
    "OutputKind",
    "OutputSpec",
    "ProgramError",
    "Trace",
    "from_exported_program",
    "load",
    "save",
    "trace",
]
