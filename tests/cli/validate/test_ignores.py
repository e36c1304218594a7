"""`# opgen: ignore[CODE] reason`: what a comment covers, and the faults of comments themselves."""

import time

import pytest
from front import checked
from opgen import pipeline

VIEW = "- func: f(Tensor(a) self) -> Tensor(a)\n"
IN_PLACE = "- func: f_(Tensor(a!) self) -> Tensor(a!)"


def found(text: str) -> list[tuple[str, int]]:
    return [(d.code, d.span.line) for d in checked(text)[1]]


def test_the_rule_fires_without_a_comment():
    assert found(VIEW + IN_PLACE + "\n") == [("OPG812", 2)]


@pytest.mark.parametrize(
    "text",
    [
        VIEW + IN_PLACE + " # opgen: ignore[OPG812] it changes no size\n",
        VIEW + IN_PLACE + "  #opgen:ignore[ OPG812 ] it changes no size\r\n",
        VIEW + IN_PLACE + " # a word first # opgen: ignore[OPG812] it changes no size\n",
        VIEW + "# opgen: ignore[OPG812] it changes no size\n" + IN_PLACE + "\n",
        VIEW + "# opgen: ignore[OPG812] it changes no size\n\n# another comment\n\n" + IN_PLACE + "\n",
        VIEW + IN_PLACE.replace("f_(", "'f_(") + "' # opgen: ignore[OPG812] it changes no size\n",
        VIEW + "- func: f_(Tensor(a!) self) ->\n    Tensor(a!) # opgen: ignore[OPG812] no size\n",
        VIEW + "- func: >- # opgen: ignore[OPG812] no size\n    f_(Tensor(a!) self) -> Tensor(a!)\n",
    ],
)
def test_ignored(text):
    assert found(text) == []


def test_a_comment_above_an_entry_covers_all_of_it():
    text = "# opgen: ignore[OPG333, OPG334] of our own build\n" + VIEW
    assert found(text + "  python_module: ours\n  category_override: ours\n") == []


def test_a_comment_on_the_first_line_covers_that_line_only():
    text = "- func: f(Tensor self) -> Tensor # opgen: ignore[OPG333] of our own build\n"
    assert found(text + "  python_module: ours\n") == [("OPG023", 1), ("OPG333", 2)]


def test_a_comment_inside_an_entry_covers_the_next_line_or_its_own():
    entry = "- func: f(Tensor self) -> Tensor\n"
    assert found(entry + "  # opgen: ignore[OPG333] ours\n  python_module: ours\n") == []
    assert found(entry + "  python_module: ours # opgen: ignore[OPG333] ours\n") == []
    assert found(entry + "  # opgen: ignore[OPG333] ours\n  tags: core\n  python_module: ours\n") == [
        ("OPG023", 2),
        ("OPG333", 4),
    ]


def test_only_the_named_rules_and_only_there():
    text = VIEW + IN_PLACE + "  # opgen: ignore[OPG812] no size\n  python_module: ours\n" + VIEW
    assert found(text) == [("OPG333", 3), ("OPG307", 4)]


def test_text_that_is_no_comment():
    inside = "- func: f(Tensor self) -> Tensor\n  python_module: 'a # opgen: ignore[OPG209] x'\n"
    assert found(inside) == [("OPG209", 2)]
    block = "- func: f(Tensor self) -> Tensor\n  precomputed:\n  - |\n    # opgen: nothing\n"
    assert "OPG020" not in dict(found(block))
    assert found("- func: f(Tensor self) -> Tensor\n  python_module: nn#opgen: ignore\n")[0][0] == "OPG001"


@pytest.mark.parametrize(
    ("comment", "code", "column"),
    [
        ("opgen: ignore", "OPG020", 43),
        ("opgen: ignore OPG812 why", "OPG020", 43),
        ("opgen: ignore[] why", "OPG020", 43),
        ("opgen: ignore[OPG812,] why", "OPG020", 43),
        ("opgen: ignroe[OPG812] why", "OPG020", 43),
        ("opgen: ignore[OPG999] why", "OPG021", 59),
        ("opgen: ignore[inplace-view-tag] why", "OPG021", 59),
        ("opgen: ignore[OPG812]", "OPG022", 43),
        ("opgen: ignore[OPG812, OPG801] why", "OPG023", 67),
        ("opgen: ignore[OPG108] why", "OPG024", 59),
        ("opgen: allow[OPG812] why", "OPG020", 43),
        ("opgen: ignore[OPB009] why", "OPG020", 43),
        ("opgen: allow[OPB009]", "OPG022", 43),
    ],
)
def test_faults_of_comments(comment, code, column):
    text = f"{VIEW}{IN_PLACE} # {comment}\n"
    assert (code, 2, column) in [(d.code, d.span.line, d.span.column) for d in checked(text)[1]]


def test_accepted_breaks_are_not_for_validate_to_judge():
    assert found("- func: f(Tensor self) -> Tensor # opgen: allow[OPB009, OPB999] it is new\n") == []


def test_help_names_the_code_of_a_rule_that_was_named():
    faults = checked(f"{VIEW}{IN_PLACE} # opgen: ignore[inplace-view-tag] x\n")[1]
    assert [d.help for d in faults if d.code == "OPG021"] == ["write OPG812"]


def test_what_cannot_be_read_cannot_be_ignored():
    text = "# opgen: ignore[OPG108] ours\n- func: f(Tensr self) -> Tensor\n"
    assert found(text) == [("OPG024", 1), ("OPG108", 2)]
    broken = "# opgen: ignore[OPG001] ours\n- func: f(Tensor self) -> Tensor\n  variants: 'function\n"
    assert ("OPG001", 3) in found(broken)


def test_unused_is_not_said_of_entries_that_were_not_checked_whole():
    """It is not known what the rule would have found there."""
    assert found("- func: f(Tensr self) -> Tensor # opgen: ignore[OPG812] x\n") == [("OPG108", 1)]


def test_an_ignored_fault_hides_no_other():
    """The entry is compared with others as if it had no fault."""
    text = VIEW + IN_PLACE + "\n  category_override: ours # opgen: ignore[OPG334] ours\n"
    assert found(text) == [("OPG812", 2)]
    spaced = "- func: f(Tensor(a)  self) -> Tensor(a) # opgen: ignore[OPG105] aligned\n"
    assert found(spaced + IN_PLACE + "\n") == [("OPG812", 2)]


def test_comments_of_the_tags_file(tmp_path):
    (tmp_path / "native_functions.yaml").write_text("- func: f(Tensor self) -> Tensor\n")
    (tmp_path / "tags.yaml").write_text("- tag: core # opgen: ignore[OPG812] x\n  desc: text\n")
    _, report = pipeline.load(tmp_path)
    assert [(d.code, d.span.path[-9:], d.span.line) for d in report.sorted()] == [("OPG023", "tags.yaml", 1)]


def test_very_many_comments_take_no_time():
    entry = "- func: f{}(Tensor self) -> Tensor\n  python_module: ours # opgen: ignore[OPG333] ours\n"
    text = "".join(entry.format(i) for i in range(1500))
    begun = time.process_time()
    faults = found(text)
    assert time.process_time() - begun < 3
    # The first thousand are read; then a fault says that there are too many.
    assert set(faults) == {("OPG020", 2002), *(("OPG333", 2 * n) for n in range(1001, 1501))}
