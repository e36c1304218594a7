"""Text to model: YAML by events (`yaml_source`), schema strings (`schema_text`), entries (`functions`), tags."""
