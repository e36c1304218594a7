"""Runs programs that PyTorch exported with this library's operators.

`load(path)` reads an archive of `torch.export.save` and needs no PyTorch; `from_exported_program(exported)`
takes the ExportedProgram itself. Both return a `Program`, which is called like the model.
"""

from __future__ import annotations

from ._archive import load
from ._errors import ProgramError
from ._exported import from_exported_program
from ._program import Program

__all__ = ["Program", "ProgramError", "from_exported_program", "load"]
