"""`--missing-kernels stub`, and other requirements of a file without some of its kernels.

The cases occur in PyTorch's whole functions file but not in opgen's own.
"""

import pytest
from opgen import locate, pipeline
from opgen.render import library
from opgen.select import sources
from opgen.template_views import library as views

FUNCTOR = b"template <class T> T twice(T self) { return self + self; }\n"


@pytest.fixture
def rendered(tmp_path):
    """Returns a function that renders a library of the entries in a text; path -> generated text."""

    def render(text: str, functor: bytes | None = None) -> dict[str, str]:
        (tmp_path / "native_functions.yaml").write_text(text)
        kernels = tmp_path / "kernels"
        kernels.mkdir(exist_ok=True)
        if functor is not None:
            (kernels / "twice.h").write_bytes(functor)
        program, report = pipeline.load(tmp_path)
        assert not report.failed, report.sorted()
        own = sources.user_sources([kernels], "mine")
        plan = views.build_library(program, own, views.LibraryOptions("mine", stubs=True))
        files = library.files(plan, locate.share() / "templates")
        return {f.path: f.content.decode() for f in files}

    return render


SHARED = """
- func: first(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutograd: shared
- func: second(Tensor input) -> Tensor
  dispatch:
    CompositeExplicitAutograd: shared
- func: third(Tensor self, int n) -> Tensor
  dispatch:
    CompositeExplicitAutograd: shared
"""


def test_a_shared_kernel_has_one_stub_for_each_signature(rendered):
    """Argument names are ignored, as C++ distinguishes functions by types. The stub names no operator: it has
    two.
    """
    stubs = rendered(SHARED)["src/stubs_0.cpp"]
    assert stubs.count(" shared(const at::Tensor & self) {") == 1
    assert stubs.count(" shared(const at::Tensor & input) {") == 0
    assert stubs.count(" shared(const at::Tensor & self, int64_t n) {") == 1
    assert stubs.count('throw_missing_kernel("at::native::shared")') == 2


COPIES = """
- func: look(Tensor(a) self) -> Tensor(a)
  dispatch: {}
- func: look_copy(Tensor self) -> Tensor
  dispatch:
    SparseCPU: look_copy_sparse
    CompositeExplicitAutogradNonFunctional: look_copy
  tags: view_copy
- func: peek(Tensor(a) self) -> Tensor(a)
  dispatch:
    CompositeExplicitAutograd: peek
- func: peek_copy(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutogradNonFunctional: peek_copy_by_hand
  tags: view_copy
"""


def test_only_the_copy_itself_is_made(rendered):
    """Other kernels of a copy, and a kernel with another name, are hand-written: here they are stubs."""
    files = rendered(COPIES)
    made, stubs = files["src/autogen_0.cpp"], files["src/stubs_0.cpp"]
    assert "at::Tensor look_copy(const at::Tensor & self) {" in made
    assert "look_copy_sparse" not in made
    assert "peek_copy" not in made
    assert "at::Tensor look_copy_sparse(const at::Tensor & self) {" in stubs
    assert "at::Tensor peek_copy_by_hand(const at::Tensor & self) {" in stubs
    assert " look_copy(" not in stubs


def test_every_header_that_is_included_is_there(rendered):
    """The headers of operators without kernels exist, too: `look` has none."""
    files = rendered(COPIES)
    assert "look(" not in files["include/mine/ATen/ops/look_native.h"]
    included = [
        line
        for text in files.values()
        for line in text.splitlines()
        if line.startswith("#include <ATen/ops/")
    ]
    present = {path.removeprefix("include/mine/") for path in files}
    assert {line.removeprefix("#include <").removesuffix(">") for line in included} <= present


LOOPS = """
- func: twice(Tensor self) -> Tensor
  structured_delegate: twice.out
- func: twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  ufunc_inner_loop:
    Generic: twice (Float, Double)
    ScalarOnly: twice (Bool{more})
"""


@pytest.mark.parametrize("more", ["", ", ComplexHalf"])
def test_one_functor_under_two_keys_is_one_loop(rendered, more):
    loops = rendered(LOOPS.format(more=more), FUNCTOR)["src/ufunc_cpu_twice.cpp"]
    assert loops.count("const auto twice_of") == 1
    assert "ufunc_loop<1, bool, float, double>" in loops


def test_dtypes_that_the_library_has_not_make_no_loop(rendered):
    entry = LOOPS.format(more="").replace("(Bool)", "(ComplexHalf)")
    loops = rendered(entry, FUNCTOR)["src/ufunc_cpu_twice.cpp"]
    assert "ufunc_loop<1, float, double>" in loops
    assert "ufunc_loop<1, >" not in loops


def test_shipped_kernels_compile_beside_entries_of_ones_own(tmp_path):
    """`abs` is structured in opgen's schemas; where a file declares it differently, the declarations that the
    shipped kernels need are still generated, and the file's own come first.
    """
    (tmp_path / "native_functions.yaml").write_text(
        "- func: abs(Tensor self) -> Tensor\n  variants: function, method\n"
    )
    request = pipeline.Request(tmp_path, tmp_path / "out", "mine", stubs=True)
    pipeline.generate(request)
    ops = tmp_path / "out/include/mine/ATen/ops"
    assert "at::Tensor abs(const at::Tensor & self)" in (ops / "abs_native.h").read_text()
    assert "struct structured_abs" in (ops / "abs_meta.h").read_text()
    text = "".join(p.read_text() for p in (tmp_path / "out/src").glob("ops/**/*.cpp"))
    for stem in {
        line.split("<ATen/ops/")[1].split(">")[0] for line in text.splitlines() if "<ATen/ops/" in line
    }:
        assert (ops / stem).is_file(), stem
