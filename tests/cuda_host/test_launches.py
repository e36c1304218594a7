"""Launches that no test executed are found, with those of the list that are out of date."""

from __future__ import annotations

from launches import Launch, executed_in, launches_in, problems

from tools.cuda_emulator import translate

SOURCE = """
void run(int* p, cudaStream_t stream) {
  scale_kernel<float, 2>
      <<<1, 32, 0, stream>>>(p);
  // a comment

  clear_kernel<<<1, 32>>>(p);
}
"""
SCALE = Launch("cuda/copy/some.cu", 3, "scale_kernel<float, 2>")
CLEAR = Launch("cuda/copy/some.cu", 7, "clear_kernel")


def test_launches_of_a_source_are_found(tmp_path) -> None:
    target = tmp_path / "some.cpp"
    translate.write(SOURCE, target, "cuda/copy/some.cu")
    assert launches_in(target.read_text()) == [SCALE, CLEAR]


def test_executed_places_are_read(tmp_path) -> None:
    file = tmp_path / "launches"
    file.write_text(
        "cuda/copy/some.cu:3\tscale_kernel<float, 2>\ncuda/copy/some.cu:3\tscale_kernel<float, 2>\n"
    )
    assert executed_in([file, tmp_path / "none"]) == {("cuda/copy/some.cu", 3)}


def test_a_launch_that_nothing_executed_is_named() -> None:
    executed = {(SCALE.file, SCALE.line)}
    (found,) = problems([SCALE, CLEAR], executed, {})
    assert found.startswith("cuda/copy/some.cu:7 clear_kernel was never executed")
    assert problems([SCALE, CLEAR], executed, {(CLEAR.file, CLEAR.kernel): "needs 2^31 elements"}) == []


def test_a_listed_launch_that_was_executed_is_named() -> None:
    executed = {(SCALE.file, SCALE.line), (CLEAR.file, CLEAR.line)}
    (found,) = problems([SCALE, CLEAR], executed, {(CLEAR.file, CLEAR.kernel): "a reason"})
    assert found.startswith("cuda/copy/some.cu clear_kernel: was executed, or is gone")
