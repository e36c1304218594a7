"""Views: for each template one frozen class of atoms, and the builder that fills it from the model and its
signatures.
"""
