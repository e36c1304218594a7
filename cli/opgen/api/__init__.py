"""Model to signatures: one module per calling convention, the same verbs in each.

`signature(...)` is the whole signature, `params(...)` and `returns(...)` are its parts, `name(...)` what it
is called. `cpp` is what users call, `dispatcher` what operators are called through, `native` and
`structured` what kernels implement, `python` what Python sees; `convert` turns the arguments of one into
those of another.
"""
