"""Programs that PyTorch exported, run on this library's operators.

`load(path)` reads what `torch.export.save` wrote and needs no PyTorch; `from_exported_program(exported)`
takes the program itself. Both give a `Program`, which is called as the model was.
"""

from __future__ import annotations

from ._archive import load
from ._errors import ProgramError
from ._exported import from_exported_program
from ._program import Program

__all__ = ["Program", "ProgramError", "from_exported_program", "load"]
