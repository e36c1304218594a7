"""Mutation testing: which changes of one place in the sources no test notices.

`python -m tools.mutation.mutate` changes cli/opgen, `python -m tools.mutation.mutate_cpp` the runtime and
the kernels.
"""
