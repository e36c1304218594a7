"""aten.torch: what it installs, when it refuses to, and what its errors say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from children import printed, python

# Lets a child process find no PyTorch, as where none is installed.
HIDDEN = """
import importlib.util, sys
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
hide = Hide()
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "torch" else find(name, package)
sys.meta_path.insert(0, hide)
"""


@pytest.mark.parametrize("kind", ["file", "-m", "-c"])
def test_programs_start_as_from_python(kind: str, tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("value = 7")
    code = "import sys, beside, torch; print(sys.argv, __name__, beside.value, torch.ones(2).sum().item())"
    (tmp_path / "greeting.py").write_text(code)
    (tmp_path / "elsewhere").mkdir()
    words = {
        "file": ["greeting.py", "a", "--b"],
        "-m": ["-m", "greeting", "a", "--b"],
        "-c": ["-c", code, "a", "--b"],
    }
    first = {"file": "greeting.py", "-m": str(tmp_path / "greeting.py"), "-c": "-c"}[kind]
    assert printed(*words[kind], cwd=tmp_path) == f"{[first, 'a', '--b']} __main__ 7 2.0\n"


def test_a_file_of_another_folder_imports_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "beside.py").write_text("value = 7")
    (tmp_path / "programs" / "greeting.py").write_text("import torch, beside; print(beside.value)")
    assert printed("programs/greeting.py", cwd=tmp_path) == "7\n"


def test_the_command_without_a_program(tmp_path: Path) -> None:
    bare, helped = (python("-m", "aten.torch", *words, cwd=tmp_path) for words in ([], ["--help"]))
    assert (bare.returncode, bare.stdout) == (2, "")
    assert (helped.returncode, helped.stderr) == (0, "")
    assert helped.stdout == bare.stderr
    assert "--replace" in helped.stdout


def test_an_error_of_the_program_is_its_own(tmp_path: Path) -> None:
    code = "import sys, torch; torch.ones(2) @ torch.ones(3)"
    done = python("-m", "aten.torch", "--replace", "-c", code, cwd=tmp_path)
    assert done.returncode == 1
    assert "RuntimeError" in done.stderr


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch isn't installed")
def test_an_installed_pytorch_is_not_shadowed(tmp_path: Path) -> None:
    done = python("-m", "aten.torch", "-c", "print('ran')", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr
    code = "import aten.torch\ntry:\n    aten.torch.install()\nexcept ImportError as e: print(e)"
    told = python("-c", code, cwd=tmp_path).stdout
    assert done.stderr == told
    spec = importlib.util.find_spec("torch")
    assert spec is not None and str(spec.origin) in told
    assert "install(replace=True)" in told and "--replace" in told


def test_an_imported_torch_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("")
    code = "import torch, aten.torch; aten.torch.install(replace=True)"
    done = python("-c", code, cwd=tmp_path)
    assert done.returncode == 1
    assert "ImportError: aten.torch.install(): this process has imported torch from" in done.stderr
    assert str(tmp_path / "torch.py") in done.stderr


def test_install_and_uninstall_where_there_is_no_pytorch(tmp_path: Path) -> None:
    code = f"""{HIDDEN}
import aten
import aten.torch
aten.torch.install()
aten.torch.install()
import torch.nn.functional as F
import torch
print(torch.relu is aten.relu, F is aten.nn.functional, repr(torch))
aten.torch.uninstall()
aten.torch.uninstall()
print([name for name in sys.modules if name.startswith("torch")])
try:
    import torch
except ModuleNotFoundError as error:
    print(error)
print(hasattr(aten, "jit"), hasattr(aten.nn, "parallel"), hasattr(aten.backends, "cudnn"))
"""
    done = python("-c", code, cwd=tmp_path)
    assert done.stderr == ""
    shown, left, error, added = done.stdout.splitlines()
    assert shown.startswith("True True <module 'torch' (aten ")
    assert (left, error, added) == ("[]", "No module named 'torch'", "False False False")


def test_importing_the_library_leaves_it_out(tmp_path: Path) -> None:
    code = "import sys, aten; print('aten.torch' in sys.modules, 'torch' in sys.modules)"
    assert python("-c", code, cwd=tmp_path).stdout == "False False\n"
    code = "import aten, sys; aten.torch.install(replace=True); import torch; print(torch.e == aten.e)"
    assert python("-c", code, cwd=tmp_path).stdout == "True\n"


SPAWNING = """
import sys
import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset

class Squares(Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, i):
        assert type(self).__module__ == "__mp_main__" and torch.__version__.partition("+")[2][:4] == "aten"
        return torch.tensor(i * i)

if __name__ == "__main__":
    loader = DataLoader(Squares(), batch_size=2, num_workers=1, multiprocessing_context="spawn")
    print([batch.tolist() for batch in loader], sys.argv[1:])
"""


def test_spawned_processes_have_it_too(tmp_path: Path) -> None:
    (tmp_path / "spawning.py").write_text(SPAWNING)
    assert printed("spawning.py", "x", cwd=tmp_path) == "[[0, 1], [4, 9]] ['x']\n"
