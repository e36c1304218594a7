"""The program that runs PyTorch's own test files, with a test file that has tests of all kinds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[2]
import page  # noqa: E402
from reasons import reason_of  # noqa: E402

FILE = """
import os, time, unittest
import torch
from torch.testing._internal.common_utils import TestCase, run_tests
from torch.testing._internal.common_nn import NNTestCase

class TestKinds(TestCase):
    def test_is_this_library(self):
        self.assertIn("aten", torch.__version__)
        self.assertEqual(torch.ones(2) + 1, torch.full((2,), 2.0))

    def test_differs(self):
        self.assertEqual(torch.ones(2), torch.zeros(2))

    def test_uses_what_is_not_here(self):
        torch.sparse_coo_tensor([[0]], [1.0], (2,))

    @unittest.skip("for a reason")
    def test_skipped(self):
        pass

    def test_ends_the_process(self):
        os._exit(3)

    def test_goes_on_after_that(self):
        pass

    def test_never_ends(self):
        time.sleep(1000)
"""


@pytest.mark.slow
def test_tests_of_all_kinds(tmp_path: Path) -> None:
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "test_kinds.py").write_text(FILE)
    command = [sys.executable, str(ROOT / "tests" / "pytorch_own" / "pytorch_own.py"), "--limit", "5"]
    command += ["--tests", str(tmp_path / "test"), "--file", "test_kinds.py", "--results", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.stdout.startswith("test_kinds.py: 2 passed, 4 failed, 1 skipped"), done.stdout + done.stderr
    results = json.loads((tmp_path / "test_kinds.json").read_text())
    told = {name.partition("test_")[2]: result["text"].split("\n")[0] for name, result in results.items()}
    assert told["differs"] == "AssertionError: Tensor-likes are not close!"
    assert told["uses_what_is_not_here"] == "NotHere: torch.sparse_coo_tensor is not here"
    assert told["ends_the_process"] == "the process ended: 3"
    assert told["never_ends"] == "it took more than 5 s"
    assert told["skipped"] == "for a reason"
    text = page.text({"test_kinds": results}, "1", "2", 5)
    assert "| test_kinds.py | 7 | 2 | 1 | 1 | 3 |" in text
    assert "- TestKinds.test_differs: `AssertionError: Tensor-likes are not close!`" in text
    again = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert again.stdout.startswith("test_kinds.py: 2 passed, 4 failed, 1 skipped")
    assert json.loads((tmp_path / "test_kinds.json").read_text()) == results


def test_a_failure_of_nothing_known_has_no_reason() -> None:
    assert reason_of("TestNN.test_linear", "AssertionError: Scalars are not close!\nnn.py:3") is None
    assert (
        reason_of("TestNN.test_x", "NotHere: torch.sparse_coo_tensor is not here")
        == "there are only strided tensors"
    )
