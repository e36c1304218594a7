"""Text to model: YAML (`yaml_source`), schema strings (`schema_text`), entries (`functions`), tags."""
