"""Pages to text (`pages`), text to a published tree (`tree`), and the record of what a tree holds
(`manifest`).
"""
