"""Which tests of this folder run: some do only on a device that suite.py names."""

import os

ASKED = {"ATEN_KERNELS_ON": "test_kernels.py", "ATEN_GRADIENTS_ON": "test_gradients_on_device.py"}
collect_ignore = [file for variable, file in ASKED.items() if variable not in os.environ]
