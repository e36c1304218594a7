"""Requirements of the formats' readers, from their documentation: our own contract for JSON; SARIF 2.1.0 with
GitHub code scanning's additional requirements; GitLab's Code Quality report; JUnit by Jenkins' schema.
"""

PLACE = {
    "path": {"type": "string", "minLength": 1},
    **{name: {"type": "integer", "minimum": 1} for name in ("line", "column", "end_line", "end_column")},
}
RELATED = {**PLACE, "message": {"type": "string"}}
FINDING = {
    **RELATED,
    "code": {"type": "string", "pattern": r"^OP[GB]\d{3}$"},
    "name": {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
    "severity": {"enum": ["error", "warning", "note"]},
    "help": {"type": ["string", "null"]},
    "related": {
        "type": "array",
        "items": {"properties": RELATED, "required": list(RELATED), "additionalProperties": False},
    },
}
OWN = {
    "type": "object",
    "required": ["version", "diagnostics", "summary"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": 1},
        "diagnostics": {
            "type": "array",
            "items": {"properties": FINDING, "required": list(FINDING), "additionalProperties": False},
        },
        "summary": {
            "required": ["errors", "warnings"],
            "additionalProperties": False,
            "properties": {
                "errors": {"type": "integer"},
                "warnings": {"type": "integer"},
                "not_compared": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            },
        },
    },
}

MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
ARTIFACT = {"type": "object", "required": ["uri"], "properties": {"uri": {"type": "string", "minLength": 1}}}
REGION = {
    "type": "object",
    "required": ["startLine", "startColumn", "endLine", "endColumn"],
    "properties": {k: {"type": "integer", "minimum": 1} for k in ("startLine", "startColumn", "endLine")},
}
LOCATION = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "message": MESSAGE,
        "physicalLocation": {
            "required": ["artifactLocation", "region"],
            "properties": {"artifactLocation": ARTIFACT, "region": REGION},
        },
    },
}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
SARIF_RULE = {
    "type": "object",
    "required": ["id", "shortDescription", "help"],
    "properties": {
        "id": {"type": "string"},
        "name": {"type": "string"},
        "shortDescription": MESSAGE,
        "help": MESSAGE,
        "defaultConfiguration": {"properties": {"level": LEVEL}, "additionalProperties": False},
    },
    "additionalProperties": False,
}
SARIF_FIX = {
    "required": ["artifactChanges"],
    "properties": {
        "artifactChanges": {
            "minItems": 1,
            "items": {
                "required": ["artifactLocation", "replacements"],
                "properties": {
                    "artifactLocation": ARTIFACT,
                    "replacements": {
                        "minItems": 1,
                        "items": {
                            "required": ["deletedRegion"],
                            "properties": {"deletedRegion": REGION, "insertedContent": MESSAGE},
                        },
                    },
                },
            },
        }
    },
}
RESULT = {
    "type": "object",
    "required": ["message", "ruleId", "level", "locations", "partialFingerprints"],
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": LEVEL,
        "message": MESSAGE,
        "locations": {"type": "array", "minItems": 1, "maxItems": 1, "items": LOCATION},
        "relatedLocations": {"type": "array", "items": LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "fixes": {"type": "array", "items": SARIF_FIX},
    },
    "additionalProperties": False,
}
RUN = {
    "type": "object",
    "required": ["tool", "results"],
    "properties": {
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "tool": {
            "required": ["driver"],
            "properties": {
                "driver": {
                    "required": ["name", "rules"],
                    "properties": {
                        "name": {"type": "string", "minLength": 1},
                        "version": {"type": "string"},
                        "rules": {"type": "array", "uniqueItems": True, "items": SARIF_RULE},
                    },
                    "additionalProperties": False,
                }
            },
        },
        "results": {"type": "array", "items": RESULT},
    },
    "additionalProperties": False,
}
SARIF = {
    "type": "object",
    "required": ["version", "runs", "$schema"],
    "properties": {"version": {"const": "2.1.0"}, "runs": {"minItems": 1, "maxItems": 20, "items": RUN}},
}

GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": r"^(?!\./)(?!/)"},
                    "lines": {"required": ["begin"], "properties": {"begin": {"type": "integer"}}},
                },
            },
        },
    },
}

# Element: (required attributes, optional attributes, children), from Jenkins' junit schema.
JUNIT = {
    "testsuites": (set(), {"name", "tests", "failures", "errors", "disabled", "time"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests"},
        {"failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package", "file"},
        {"testcase", "properties", "system-out", "system-err", "testsuite"},
    ),
    "testcase": (
        {"name"},
        {"classname", "time", "assertions", "status", "file", "line"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": (set(), {"message", "type"}, set()),
    "system-out": (set(), set(), set()),
}
