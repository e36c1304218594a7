"""Random programs, run on this library and on PyTorch and compared after each step.

`python -m tools.programs.programs` runs some; writer.py makes them, runner.py runs them.
"""
