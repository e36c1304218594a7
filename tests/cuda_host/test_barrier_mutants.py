"""The campaign that drops barriers has cases for every file that has one."""

from __future__ import annotations

import mutants
from device_programs import needs_device


@needs_device
def test_every_file_with_barriers_has_a_case() -> None:
    files = {mutant.file for mutant in mutants.barriers()}
    assert "embedding/embedding_renorm.cu" in files
    assert mutants.without_cases(files, mutants.cases()) == []


@needs_device
def test_every_case_is_of_a_source() -> None:
    """A case that is filed under a misspelt name would run with no mutant."""
    assert [source for source in mutants.cases() if not (mutants.CUDA / source).exists()] == []


def test_a_file_without_a_case_is_named_with_what_to_add() -> None:
    source, header = "embedding/embedding_renorm.cu", "sorting/ordered_lines.cuh"
    of_source, of_header = mutants.without_cases([source, header], ["loss/nll_loss.cu"])
    assert of_source.startswith(f"cuda/{source} has barriers, but no case of tests/cuda_host/test_kernels.py")
    assert of_source.endswith(f"add one whose name begins with {source}")
    assert of_header.startswith(f"cuda/{header} has barriers")
    assert "sorting/sort.cu or sorting/topk.cu" in of_header
    assert mutants.without_cases([source, header], [source, "sorting/topk.cu"]) == []


def test_a_header_is_part_of_every_source_that_includes_it_through_others() -> None:
    every = [str(file.relative_to(mutants.CUDA)) for file in mutants.CUDA.rglob("*.cu")]
    assert "dense_scan.cuh" in (mutants.CUDA / "scan/cumprod.cu").read_text()
    assert "Scan.cuh>" not in (mutants.CUDA / "scan/cumprod.cu").read_text()
    scans = mutants.sources_of("Scan.cuh", every)
    assert {"scan/cumsum.cu", "scan/cumprod.cu", "scan/cummax.cu"} <= set(scans)
    assert mutants.sources_of("scan/cumprod.cu", every) == ["scan/cumprod.cu"]
