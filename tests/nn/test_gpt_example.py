"""examples/gpt: the programs run, a resumed run is the uninterrupted one, and the steps are PyTorch's."""

from __future__ import annotations

import importlib
import io
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import aten
import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "gpt"
SMALL = {"context": 16, "width": 16, "heads": 2, "layers": 2}
TEXT = b"".join(b"%d and %d are %d. " % (i, j, i + j) for i in range(12) for j in range(12))


def example(library: ModuleType = aten) -> SimpleNamespace:
    """The modules of the example, with `library` in the place of aten."""
    names = [file.stem for file in FOLDER.glob("*.py")]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        for place in ("", ".nn", ".optim", ".utils.data"):
            patch.setitem(sys.modules, f"aten{place}", importlib.import_module(library.__name__ + place))
        for name in names:
            patch.delitem(sys.modules, name, raising=False)
        found = SimpleNamespace(**{name: importlib.import_module(name) for name in names})
        for name in names:
            del sys.modules[name]
    return found


gpt = example()


def run(seed: int = 0, steps: int = 12, dropout: float = 0.1, of: SimpleNamespace = gpt) -> Any:
    config = of.model.Config(**SMALL, dropout=dropout)
    return of.training.Run(config, of.training.Options(steps, batch=4, every=5, seed=seed), TEXT)


def command(folder: Path, program: str, *options: str) -> str:
    done = subprocess.run(
        [sys.executable, FOLDER / program, *options], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_line_of_progress() -> None:
    times = iter([0.0, 2.0, 2.05, 100.0, 200.0])
    screen = Terminal()
    line = gpt.progress.Progress(50, 250, screen, lambda: next(times))
    line.show(60, 3.25)
    line.show(61, 3.0)  # too soon after the one before
    line.show(150, 2.5)
    line.show(250, 2.0)
    line.clear()
    assert screen.getvalue().split("\r")[1:] == [
        "[#######.......................] 60/250  loss 3.250  0:38 left",
        "[##################............] 150/250  loss 2.500  1:40 left",
        "[##############################] 250/250  loss 2.000  0:00 left",
        *(" " * 63, ""),
    ]
    assert gpt.progress.duration(3723) == "1:02:03"
    file = io.StringIO()
    gpt.progress.Progress(0, 2, file, lambda: 0.0).show(1, 1.0)
    assert file.getvalue() == ""


def test_the_programs(tmp_path: Path) -> None:
    small = [f"--{name}={value}" for name, value in SMALL.items()]
    said = command(tmp_path, "train.py", *small, "--steps=60", "--every=20", "--batch=4", "--stop=40")
    said += command(tmp_path, "train.py", "--resume")
    rows = [line.split() for line in said.splitlines() if line.startswith("step")]
    assert [row[1] for row in rows] == ["20", "40", "60"]
    assert 5.6 > float(rows[0][3]) > float(rows[1][3]) > float(rows[2][3])  # ln(256) = 5.55
    assert 5.6 > float(rows[0][5]) > float(rows[1][5]) > float(rows[2][5])

    picture = ElementTree.parse(tmp_path / "gpt.svg").getroot()
    paths = picture.findall("{http://www.w3.org/2000/svg}path")
    assert [len(path.attrib["d"].split()) for path in paths] == [3, 3]

    said = command(tmp_path, "sample.py", "--prompt=The ", "--count=30")
    assert said.startswith("The ")
    assert command(tmp_path, "sample.py", "--prompt=The ", "--count=30") == said
    assert command(tmp_path, "sample.py", "--prompt=The ", "--count=30", "--seed=1") != said


@pytest.mark.parametrize("stop", [1, 5, 7])
def test_a_resumed_run_is_the_uninterrupted_one(stop: int, tmp_path: Path) -> None:
    whole = run()
    whole.train(12, tmp_path / "whole.pt")
    run().train(stop, tmp_path / "part.pt")
    aten.manual_seed(99)
    resumed = gpt.training.Run.load(tmp_path / "part.pt", TEXT)
    resumed.train(12, tmp_path / "part.pt")
    assert len(whole.losses) == 12
    assert resumed.losses == whole.losses
    states = [aten.load(tmp_path / name) for name in ("whole.pt", "part.pt")]
    assert states[0]["schedule"] == states[1]["schedule"]
    assert aten.equal(states[0]["random"], states[1]["random"])
    for name, value in states[0]["model"].items():
        assert aten.equal(value, states[1]["model"][name]), name
    for number, moments in states[0]["optimizer"]["state"].items():
        for name, value in moments.items():
            assert aten.equal(value, states[1]["optimizer"]["state"][number][name]), name


def test_a_run_is_not_resumed_on_another_text(tmp_path: Path) -> None:
    run(steps=1).train(1, tmp_path / "run.pt")
    with pytest.raises(ValueError, match="another text"):
        gpt.training.Run.load(tmp_path / "run.pt", TEXT + b".")


def test_the_steps_are_pytorchs(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    theirs_of = example(torch)
    ours, theirs = run(dropout=0.0, steps=25), run(dropout=0.0, steps=25, of=theirs_of)
    ours.save(tmp_path / "run.pt")
    theirs.model.load_state_dict(torch.load(tmp_path / "run.pt")["model"])
    for indices in gpt.data.Batches(ours.windows, 4, 0, 25, 0):
        for each, library in ((ours, aten), (theirs, torch)):
            inputs, targets = zip(*(each.windows[i] for i in indices), strict=True)
            each.update(library.stack(inputs), library.stack(targets))
    assert ours.losses == pytest.approx(theirs.losses, rel=1e-4)
    assert ours.validate() == pytest.approx(theirs.validate(), rel=1e-4)
    assert ours.schedule.get_last_lr() == pytest.approx(theirs.schedule.get_last_lr())


def test_windows_and_their_targets() -> None:
    tokens = gpt.data.encode(b"abcdefgh")
    windows, apart = gpt.data.Windows(tokens, 3), gpt.data.Windows(tokens, 3, stride=3)
    pairs = [[gpt.data.decode(part) for part in windows[i]] for i in range(len(windows))]
    assert pairs == [["abc", "bcd"], ["bcd", "cde"], ["cde", "def"], ["def", "efg"], ["efg", "fgh"]]
    assert [gpt.data.decode(apart[i][0]) for i in range(len(apart))] == ["abc", "def"]
    with pytest.raises(ValueError, match="8 tokens are too few for windows of 8"):
        gpt.data.Windows(tokens, 8)


def test_batches_depend_on_seed_and_step_alone() -> None:
    windows = gpt.data.Windows(aten.arange(1000), 4)
    whole = list(gpt.data.Batches(windows, 8, 0, 6, seed=3))
    assert list(gpt.data.Batches(windows, 8, 4, 6, seed=3)) == whole[4:]
    assert list(gpt.data.Batches(windows, 8, 0, 6, seed=4)) != whole
    assert len({tuple(batch) for batch in whole}) == 6
    assert all(0 <= i < len(windows) for batch in whole for i in batch)


def test_each_parameter_is_in_one_group() -> None:
    model = run().model
    assert model.head.weight is model.tokens.weight
    decayed, free = (group["params"] for group in gpt.training.groups(model, 0.1))
    assert sorted(map(id, (*decayed, *free))) == sorted(map(id, model.parameters()))
    assert {p.dim() for p in free} == {1}


def test_a_token_does_not_see_later_ones() -> None:
    model = run().model.eval()
    tokens = aten.randint(256, (2, 16))
    changed = tokens.clone()
    changed[:, 9] = (changed[:, 9] + 1) % 256
    same = (model(tokens) == model(changed)).all(-1).all(0)
    assert same.tolist() == [True] * 9 + [False] * 7


def test_generation_keeps_to_the_most_probable_tokens() -> None:
    model = run().model.eval()
    prompt = aten.randint(256, (2, 20))  # longer than the context
    for _ in range(3):
        before = model.generate(prompt, 1, temperature=5.0, top_k=3)
        best = model(prompt[:, -16:])[:, -1].topk(3).indices
        assert (best == before[:, -1:]).any(1).all()
    greedy = model.generate(prompt, 4, temperature=1.0, top_k=1)
    assert greedy.shape == (2, 24)
    assert aten.equal(greedy[:, :20], prompt)
    for end in range(20, 24):
        assert aten.equal(greedy[:, end], model(greedy[:, end - 16 : end])[:, -1].argmax(-1))
