"""Template views: for each template one frozen class of atoms, and the function that builds it from the model
and its signatures.
"""
