"""`python -m opgen`: the same as the `opgen` command."""

from opgen.commands import main

main()
