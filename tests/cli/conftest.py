"""Makes the helper modules of these folders importable by their tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
