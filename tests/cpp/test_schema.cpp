// The parser of run-time schemas: what it reads it writes back, and what it refuses it points at.
//
//   test_schema [FILE]    FILE: one schema a line, as PyTorch prints them; every line must come back as it
//   is.
#include <ATen/core/function_schema.h>
#include <c10/util/Exception.h>

#include <fstream>
#include <string>

#include "check.h"

using torch::jit::parseSchema;

static void check_same(const std::string& text) {
  std::string back;
  try {
    back = parseSchema(text).str();
  } catch (const c10::Error& e) {
    back = e.what();
  }
  if (back != text) std::printf("  %s\n  %s\n", text.c_str(), back.c_str());
  CHECK(back == text);
}

static void check_written_as(const std::string& text, const std::string& written) {
  CHECK(parseSchema(text).str() == written);
}

static void test_round_trip() {
  check_same("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  check_same("aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  check_same("aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]");
  check_same("aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor");
  check_same(
      "aten::conv2d(Tensor input, SymInt[2] stride=[1, 1], float eps=1.0000000000000001e-05, bool b=True) -> "
      "()");
  check_same("aten::strip(str self, str chars=\" \\n\\t\\f\\v\") -> str");
  check_same("aten::items.str(Dict(str, t) self) -> ((str, t)[])");
  check_same("aten::max.dim(Tensor self, int dim) -> (Tensor values, Tensor indices)");
  check_same("prim::TupleUnpack(Any tup) -> ...");
  check_same("q::prepack(Tensor W, __torch__.torch.classes.q.Packed p, *, Generator? g=None) -> Tensor Y");
}

static void test_other_spellings() {
  check_written_as("f(int[2] stride=[1, 1], float p=2, Tensor?  x = None)->Tensor",
                   "f(int[2] stride=1, float p=2., Tensor? x=None) -> Tensor");
  check_written_as(
      "g(*, ScalarType dtype=long, MemoryFormat m=contiguous_format, int reduction=Mean, str s='x') -> ()",
      "g(*, ScalarType dtype=4, MemoryFormat m=0, int reduction=1, str s=\"x\") -> ()");
}

static void test_model() {
  const auto s = parseSchema("aten::sum.out(Tensor self, int[1]? dim=None, *, Tensor(a!) out) -> Tensor(a!)");
  CHECK(s.name() == "aten::sum" && s.overload_name() == "out");
  CHECK(s.operator_name().getNamespace() == "aten");
  CHECK(s.arguments().size() == 3 && s.is_mutable());
  CHECK(s.arguments()[1].N() == 1 && s.arguments()[1].default_value()->isNone());
  CHECK(s.arguments()[2].is_out() && s.arguments()[2].alias_info()->before[0] == "a");
  CHECK(s.argumentIndexWithName("out") == 2 && !s.argumentIndexWithName("other"));
}

static void test_refusals() {
  const char* bad[] = {"",
                       "f",
                       "f(",
                       "f(Tensor",
                       "f(Tensor x",
                       "f(Tensor x)",
                       "f(Tensor x) ->",
                       "f(Tensor x) -> Tensor junk x",
                       "f(Tensr x) -> Tensor",
                       "f(int x=a) -> ()",
                       "f(int x=1.5) -> ()",
                       "f(int x=99999999999999999999) -> ()",
                       "f(int[] x=1) -> ()",
                       "f(str x=\"a) -> ()",
                       "f(bool x=1) -> ()",
                       "f(Tensor(a x) -> ()",
                       "1f() -> ()",
                       "f(Tensor[-2] x) -> ()",
                       "f(Tensor x,, Tensor y) -> ()",
                       "a::b::c() -> ()"};
  for (const char* text : bad) {
    bool refused = false;
    try {
      (void)parseSchema(text);
    } catch (const c10::Error&) {
      refused = true;
    }
    if (!refused) std::printf("  not refused: %s\n", text);
    CHECK(refused);
  }
  std::string message;
  try {
    (void)parseSchema("f(" + std::string(100000, '(') + "Tensor x) -> ()");
  } catch (const c10::Error& e) {
    message = e.what();
  }
  CHECK(message.find("column") != std::string::npos);
}

static void test_file(const char* path) {
  std::ifstream file(path);
  CHECK(file.good());
  std::string line;
  int n = 0;
  for (; std::getline(file, line); ++n) check_same(line);
  std::printf("%d schemas from %s\n", n, path);
}

int main(int argc, char** argv) {
  RUN(test_round_trip);
  RUN(test_other_spellings);
  RUN(test_model);
  RUN(test_refusals);
  if (argc > 1) {
    test_file(argv[1]);
  } else {
    std::printf("SKIPPED: no file of schemas was given\n");
  }
  return check_result();
}
