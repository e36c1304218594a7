"""Which operators (`selection`) and which hand-written sources (`sources`) a library holds."""
