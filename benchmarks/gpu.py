"""Bandwidths of operators on a GPU: python3 benchmarks/gpu.py TREE builds the generated tree and prints
them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    tests = Path(__file__).resolve().parents[1] / "tests" / "gpu.py"
    sys.exit(subprocess.run([sys.executable, tests, *sys.argv[1:], "--bench"], check=False).returncode)
