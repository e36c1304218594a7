"""Programs of use beyond this project's tests: each folder is one, and tests/ has a folder of its tests."""
