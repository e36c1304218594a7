// Operators on CUDA against the same on the CPU, over dtypes, shapes and strides. Without a GPU it says so
// and ends with 77. `test_gpu small` takes a hundredth of the large sizes, for an emulated device.
#include <ATen/ATen.h>
#include <ATen/core/Generator.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/DeviceInterface.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

using at::Tensor;
using c10::ScalarType;

const c10::Device gpu(c10::DeviceType::CUDA, 0);
int checks = 0, failures = 0;

const std::vector<ScalarType> floats = {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble};
const std::vector<ScalarType> real = {at::kByte, at::kChar,     at::kShort, at::kInt,   at::kLong,
                                      at::kHalf, at::kBFloat16, at::kFloat, at::kDouble};
const std::vector<ScalarType> complexes = {at::kComplexFloat, at::kComplexDouble};

bool is_small = false;
// The number of elements of what shall take many blocks, or several launches.
int64_t many(int64_t n) { return is_small ? n / 100 | 1 : n; }

std::vector<ScalarType> with(std::vector<ScalarType> a, const std::vector<ScalarType>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

double tolerance(ScalarType dtype) {
  switch (dtype) {
    case at::kHalf:
      return 4e-3;
    case at::kBFloat16:
      return 3e-2;
    case at::kFloat:
    case at::kComplexFloat:
      return 2e-5;
    default:
      return 1e-9;
  }
}

void fail(const std::string& what, const std::string& why) {
  ++failures;
  std::printf("FAILED %s: %s\n", what.c_str(), why.c_str());
}

void expect_close(const std::string& what, const Tensor& expected, const Tensor& found, double wider = 1) {
  ++checks;
  if (found.device() != gpu) return fail(what, "the result is not on the GPU");
  if (found.scalar_type() != expected.scalar_type()) return fail(what, "another dtype than on the CPU");
  if (found.sizes() != expected.sizes()) return fail(what, "another shape than on the CPU");
  const Tensor back = found.cpu();
  const double close = tolerance(expected.scalar_type()) * wider;
  const bool inexact = expected.is_floating_point() || expected.is_complex();
  const bool same =
      inexact ? at::allclose(expected, back, close, close, /*equal_nan=*/true) : at::equal(expected, back);
  if (!same) fail(what, "other values than on the CPU");
}

// Numbers from -4 to 4 in steps, cut to what the dtype has; the same for every call.
Tensor numbers(at::IntArrayRef sizes, ScalarType dtype, int64_t seed = 1) {
  int64_t n = 1;
  for (int64_t size : sizes) n *= size;
  Tensor t =
      at::arange(n, at::TensorOptions().dtype(at::kLong)).mul(7 * seed + 4).add(3 * seed).remainder(33);
  t = t.to(at::kDouble).sub(16).div(4);
  if (dtype == at::kByte) t = t.abs();
  return t.reshape(sizes).to(dtype);
}

using Layout = std::function<Tensor(const Tensor&)>;
const std::vector<std::pair<const char*, Layout>> layouts = {
    {"contiguous", [](const Tensor& t) { return t; }},
    {"transposed",
     [](const Tensor& t) { return t.dim() < 2 ? t : t.transpose(0, -1).contiguous().transpose(0, -1); }},
    {"sliced",
     [](const Tensor& t) {
       return t.dim() == 0 ? t : at::cat({t, t, t}, -1).slice(-1, 1, 1 + 2 * t.size(-1), 2).copy_(t);
     }},
};
const std::vector<std::vector<int64_t>> shapes = {{},        {0},      {1},       {7},           {1000},
                                                  {3, 0, 2}, {33, 65}, {4, 5, 6}, {2, 3, 130, 2}};

std::string label(const char* op, ScalarType dtype, at::IntArrayRef sizes, const char* layout) {
  return c10::str(op, " ", dtype, " ", sizes, " ", layout);
}

// The layout is made again on the GPU: a copy to it doesn't keep strides with gaps.
using Unary = std::function<Tensor(const Tensor&)>;
void check_unary(const char* op, const std::vector<ScalarType>& dtypes, const Unary& f, double wider = 1) {
  for (ScalarType dtype : dtypes) {
    for (const auto& sizes : shapes) {
      for (const auto& [name, layout] : layouts) {
        const Tensor a = numbers(sizes, dtype);
        expect_close(label(op, dtype, sizes, name), f(layout(a)), f(layout(a.to(gpu))), wider);
      }
    }
  }
}

using Binary = std::function<Tensor(const Tensor&, const Tensor&)>;
void check_binary(const char* op, const std::vector<ScalarType>& dtypes, const Binary& f) {
  for (ScalarType dtype : dtypes) {
    for (const auto& sizes : shapes) {
      for (const auto& [name, layout] : layouts) {
        const Tensor a = numbers(sizes, dtype), b = numbers(sizes, dtype, 2).abs().add(1);
        expect_close(label(op, dtype, sizes, name), f(layout(a), b), f(layout(a.to(gpu)), b.to(gpu)));
      }
    }
    // Broadcasting, another dtype, a number on the CPU.
    const Tensor a = numbers({9, 1, 5}, dtype), b = numbers({4, 1}, dtype, 2).abs().add(1);
    expect_close(label(op, dtype, a.sizes(), "broadcast"), f(a, b), f(a.to(gpu), b.to(gpu)));
    const Tensor wide = b.to(at::kDouble);
    expect_close(label(op, dtype, a.sizes(), "mixed"), f(a, wide), f(a.to(gpu), wide.to(gpu)));
    const Tensor number = at::scalar_tensor(2, at::TensorOptions().dtype(dtype));
    expect_close(label(op, dtype, a.sizes(), "number"), f(a, number), f(a.to(gpu), number));
  }
}

void test_elementwise() {
  const auto all = with(real, complexes), floating = with(floats, complexes);
  check_binary("add", all, [](auto& a, auto& b) { return at::add(a, b, 2); });
  check_binary("sub", all, [](auto& a, auto& b) { return at::sub(a, b); });
  check_binary("mul", all, [](auto& a, auto& b) { return at::mul(a, b); });
  check_binary("div", all, [](auto& a, auto& b) { return at::div(a, b); });
  check_binary("div floor", real, [](auto& a, auto& b) { return at::div(a, b, "floor"); });
  check_binary("div trunc", real, [](auto& a, auto& b) { return at::div(a, b, "trunc"); });
  check_binary("remainder", real, [](auto& a, auto& b) { return at::remainder(a, b); });
  check_binary("maximum", real, [](auto& a, auto& b) { return at::maximum(a, b); });
  check_binary("minimum", real, [](auto& a, auto& b) { return at::minimum(a, b); });
  check_binary("lt", real, [](auto& a, auto& b) { return at::lt(a, b); });
  check_binary("eq", all, [](auto& a, auto& b) { return at::eq(a, b); });
  check_binary("logical_and", all, [](auto& a, auto& b) { return at::logical_and(a, b); });
  check_binary("where", all, [](auto& a, auto& b) { return at::where(at::ne(a, b), a, b); });
  check_unary("neg", all, [](auto& a) { return at::neg(a); });
  check_unary("abs", all, [](auto& a) { return at::abs(a); });
  check_unary("exp", floating, [](auto& a) { return at::exp(a); }, 4);
  check_unary("log", floats, [](auto& a) { return at::log(a.abs().add(0.5)); }, 4);
  check_unary("sqrt", floats, [](auto& a) { return at::sqrt(a.abs()); });
  check_unary("rsqrt", floats, [](auto& a) { return at::rsqrt(a.abs().add(0.5)); });
  check_unary("sin", floats, [](auto& a) { return at::sin(a); });
  check_unary("tanh", floats, [](auto& a) { return at::tanh(a); });
  check_unary("sigmoid", floats, [](auto& a) { return at::sigmoid(a); });
  check_unary("relu", real, [](auto& a) { return at::relu(a); });
  check_unary("gelu", floats, [](auto& a) { return at::gelu(a); });
  check_unary("gelu tanh", floats, [](auto& a) { return at::gelu(a, "tanh"); });
  check_unary("pow 2", all, [](auto& a) { return at::pow(a, 2); });
  check_unary("pow 2.5", floats, [](auto& a) { return at::pow(a.abs(), 2.5); }, 4);
  check_unary("clamp", real, [](auto& a) { return at::clamp(a, 1, 3); });
  check_unary("add number", all, [](auto& a) { return at::add(a, 3); });
  check_unary("bitwise_not", {at::kByte, at::kInt, at::kLong}, [](auto& a) { return at::bitwise_not(a); });
}

void test_copies() {
  auto all = with(real, complexes);
  all.push_back(at::kBool);
  for (ScalarType from : all) {
    for (ScalarType to : all) {
      const Tensor a = numbers({5, 7}, at::kDouble).abs().to(from);  // all dtypes have these
      expect_close(c10::str("to ", from, " ", to), a.to(to), a.to(gpu).to(to));
      expect_close(c10::str("to transposed ", from, " ", to), a.t().to(to), a.to(gpu).t().to(to));
      expect_close(c10::str("upload ", from, " ", to), a.t().to(to), a.t().to(gpu, to));
    }
  }
  check_unary("contiguous", all, [](auto& a) { return a.contiguous(); });
  check_unary("fill", all, [](auto& a) { return at::empty_like(a).fill_(3); });
  check_unary("masked_fill", real, [](auto& a) { return a.masked_fill(at::gt(a, 0), 5); });
  const Tensor a = numbers({6, 8}, at::kFloat), target = at::zeros({8, 6}).to(gpu);
  target.t().copy_(a);
  expect_close("copy_ into a transposed tensor", a.t().contiguous(), target);
}

void test_reductions() {
  const auto all = with(real, complexes);
  const std::vector<std::pair<const char*, std::vector<int64_t>>> folds = {
      {"all", {}}, {"last", {-1}}, {"first", {0}}, {"both ends", {0, -1}}};
  const std::vector<std::vector<int64_t>> sizes = {
      {7}, {many(1000003)}, {33, 65}, {5, many(70001)}, {many(70001), 5}, {4, 300, 6}};
  for (const auto& [name, dims] : folds) {
    for (const auto& shape : sizes) {
      if (dims.size() > shape.size()) continue;
      for (ScalarType dtype : all) {
        const Tensor a = numbers(shape, dtype), b = a.to(gpu);
        const auto what = [&, name = name](const char* op) { return label(op, dtype, shape, name); };
        // Sums of the numbers are small, what is added up on the way isn't.
        expect_close(what("sum"), at::sum(a, dims), at::sum(b, dims), 1000);
        if (a.is_floating_point()) {
          expect_close(what("mean"), at::mean(a, dims), at::mean(b, dims), 10);
          expect_close(what("var"), at::var(a, dims), at::var(b, dims), 10);
        }
        if (a.is_complex()) continue;
        expect_close(what("amax"), at::amax(a, dims), at::amax(b, dims));
        expect_close(what("amin"), at::amin(a, dims, /*keepdim=*/true), at::amin(b, dims, true));
        expect_close(what("any"), at::any(a, dims), at::any(b, dims));
        expect_close(what("all"), at::all(a, dims), at::all(b, dims));
        if (dims.size() != 1) continue;
        expect_close(what("argmax"), at::argmax(a, dims[0]), at::argmax(b, dims[0]));
        expect_close(what("argmin"), at::argmin(a, dims[0]), at::argmin(b, dims[0]));
        if (shape.size() > 1)
          expect_close(what("cumsum"), at::cumsum(a, dims[0]), at::cumsum(b, dims[0]), 100);
      }
    }
  }
  const Tensor ones = numbers({3, 4}, at::kLong).abs().add(1);
  expect_close("prod", at::prod(ones, 1), at::prod(ones.to(gpu), 1));
}

void test_indexing() {
  for (ScalarType dtype : with(real, complexes)) {
    const Tensor a = numbers({9, 10, 4}, dtype), b = a.to(gpu);
    const Tensor rows = at::arange(20).remainder(9), columns = at::arange(20).mul(3).remainder(10).sub(5);
    const auto what = [&](const char* op) { return c10::str(op, " ", dtype); };
    const auto host = c10::List<std::optional<Tensor>>({rows, columns});
    const auto device = c10::List<std::optional<Tensor>>({rows.to(gpu), columns.to(gpu)});
    expect_close(what("index"), at::index(a, host), at::index(b, device));
    expect_close(what("index_select"), a.index_select(1, rows), b.index_select(1, rows.to(gpu)));
    expect_close(what("index_select strided"), a.transpose(0, 2).index_select(0, rows.remainder(4)),
                 b.transpose(0, 2).index_select(0, rows.remainder(4).to(gpu)));
    const Tensor where = at::arange(9 * 6 * 4).remainder(10).reshape({9, 6, 4});
    expect_close(what("gather"), at::gather(a, 1, where), at::gather(b, 1, where.to(gpu)));
    const Tensor values = numbers({20, 4}, dtype, 3);
    expect_close(what("index_put accumulate"), at::index_put(a, host, values, true),
                 at::index_put(b, device, values.to(gpu), true), 4);
    if (a.is_complex()) continue;
    const Tensor mask = at::gt(a, 1);
    expect_close(what("masked_select"), at::masked_select(a, mask), at::masked_select(b, mask.to(gpu)));
    expect_close(what("nonzero"), at::nonzero(a), at::nonzero(b));
    expect_close(what("cat"), at::cat({a, a.slice(1, 2, 5)}, 1), at::cat({b, b.slice(1, 2, 5)}, 1));
  }
  const Tensor tiles = at::arange(many(3000017)).remainder(7).eq(3);
  expect_close("nonzero of many tiles", at::nonzero(tiles), at::nonzero(tiles.to(gpu)));
  const Tensor weight = numbers({11, 3}, at::kFloat), ids = at::arange(24).remainder(11).reshape({4, 6});
  expect_close("embedding", at::embedding(weight, ids), at::embedding(weight.to(gpu), ids.to(gpu)));
}

void test_normalisation() {
  for (ScalarType dtype : floats) {
    for (int64_t dim : {0, 1, 2}) {
      const Tensor a = numbers({5, 300, 17}, dtype), b = a.to(gpu);
      expect_close(c10::str("softmax ", dtype, " ", dim), at::softmax(a, dim), at::softmax(b, dim));
      expect_close(c10::str("log_softmax ", dtype, " ", dim), at::log_softmax(a, dim),
                   at::log_softmax(b, dim));
    }
    const Tensor x = numbers({6, 4, 515}, dtype), w = numbers({515}, dtype, 2), b = numbers({515}, dtype, 3);
    expect_close(c10::str("layer_norm ", dtype), at::layer_norm(x, {515}, w, b),
                 at::layer_norm(x.to(gpu), {515}, w.to(gpu), b.to(gpu)), 4);
    expect_close(c10::str("rms_norm ", dtype), at::rms_norm(x, {515}, w),
                 at::rms_norm(x.to(gpu), {515}, w.to(gpu)), 4);
    const Tensor images = numbers({3, 8, 9, 11}, dtype), g = numbers({8}, dtype, 2),
                 c = numbers({8}, dtype, 3);
    expect_close(c10::str("group_norm ", dtype), at::group_norm(images, 4, g, c),
                 at::group_norm(images.to(gpu), 4, g.to(gpu), c.to(gpu)), 4);
    for (const auto format : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
      const Tensor host = images.contiguous(format);
      expect_close(c10::str("batch_norm ", dtype), at::batch_norm(host, g, c, {}, {}, true, 0.1, 1e-5, true),
                   at::batch_norm(host.to(gpu), g.to(gpu), c.to(gpu), {}, {}, true, 0.1, 1e-5, true), 4);
    }
    const Tensor table = numbers({11, 7}, dtype), ids = at::arange(24).remainder(11);
    const Tensor offsets = at::arange(0, 24, 6);
    for (const int64_t mode : {0, 1, 2}) {
      expect_close(c10::str("embedding_bag ", dtype, " ", mode),
                   std::get<0>(at::embedding_bag(table, ids, offsets, false, mode)),
                   std::get<0>(at::embedding_bag(table.to(gpu), ids.to(gpu), offsets.to(gpu), false, mode)),
                   4);
    }
  }
}

void test_products() {
  for (ScalarType dtype : with(floats, complexes)) {
    const Tensor a = numbers({37, 65}, dtype), b = numbers({65, 19}, dtype, 2), c = numbers({19}, dtype, 3);
    const auto what = [&](const char* op) { return c10::str(op, " ", dtype); };
    expect_close(what("mm"), at::mm(a, b), at::mm(a.to(gpu), b.to(gpu)), 10);
    expect_close(what("mm transposed"), at::mm(b.t(), a.t()), at::mm(b.to(gpu).t(), a.to(gpu).t()), 10);
    expect_close(what("addmm"), at::addmm(c, a, b, 0.5, 2),
                 at::addmm(c.to(gpu), a.to(gpu), b.to(gpu), 0.5, 2), 10);
    const Tensor p = numbers({3, 8, 9}, dtype), q = numbers({3, 9, 5}, dtype, 2);
    expect_close(what("bmm"), at::bmm(p, q), at::bmm(p.to(gpu), q.to(gpu)), 10);
    expect_close(what("dot"), at::dot(c, c), at::dot(c.to(gpu), c.to(gpu)), 10);
    expect_close(what("mm of nothing"), at::mm(a.slice(1, 0, 0), b.slice(0, 0, 0)),
                 at::mm(a.to(gpu).slice(1, 0, 0), b.to(gpu).slice(0, 0, 0)));
  }
}

// The same seed gives the same numbers on both devices.
void test_random() {
  using Draw = std::function<Tensor(const Tensor&)>;
  const std::vector<std::pair<const char*, Draw>> draws = {
      {"uniform_", [](const Tensor& t) { return at::empty_like(t).uniform_(-1, 2); }},
      {"normal_", [](const Tensor& t) { return at::empty_like(t).normal_(1, 3); }},
      {"bernoulli_", [](const Tensor& t) { return at::empty_like(t).bernoulli_(0.3); }},
      {"dropout", [](const Tensor& t) { return std::get<0>(at::native_dropout(t, 0.4, true)); }},
  };
  for (const auto& [name, draw] : draws) {
    for (ScalarType dtype : floats) {
      for (int64_t n : {int64_t{1}, int64_t{63}, int64_t{64}, int64_t{65}, many(100003)}) {
        const Tensor a = numbers({n}, dtype), b = a.to(gpu);
        at::manual_seed(7);
        const Tensor host = draw(a);
        at::manual_seed(7);
        expect_close(c10::str(name, " ", dtype, " ", n), host, draw(b), 4);
      }
    }
  }
}

void test_runtime() {
  const c10::DeviceInterface& device = c10::device_interface(c10::DeviceType::CUDA);
  // Work on another stream is seen by this one through an event.
  const int64_t n = many(1 << 22);
  const Tensor a = at::full({n}, 2.0, at::TensorOptions().device(gpu));
  const c10::Stream main = device.current_stream(0), side = device.new_stream(0);
  c10::Event ready(c10::DeviceType::CUDA), done(c10::DeviceType::CUDA);
  ready.record(main);
  Tensor b;
  {
    const c10::StreamGuard guard(side);
    ready.block(side);
    b = at::mul(a, 3);
    device.record_data_ptr_on_stream(a.storage().data_ptr(), side);
    done.record(side);
  }
  done.block(main);
  expect_close("a stream of its own", at::full({n}, 6.0), b);
  expect_close("arange", at::arange(1, 1000, 3), at::arange(1, 1000, 3, at::TensorOptions().device(gpu)));
  Tensor grown = at::arange(5, at::TensorOptions().device(gpu));
  grown.resize_({9});
  expect_close("resize_", at::arange(5), grown.slice(0, 0, 5));
  ++checks;
  if (at::arange(9, at::TensorOptions().device(gpu)).sum().item().toLong() != 36)
    fail("item", "another number");
  ++checks;
  try {
    at::empty({int64_t{1} << 46}, at::TensorOptions().device(gpu));
    fail("out of memory", "no error");
  } catch (const c10::OutOfMemoryError& error) {
    if (std::string(error.what()).find("Tried to allocate") == std::string::npos)
      fail("out of memory", error.what());
  }
  c10::GetAllocator(c10::DeviceType::CUDA)->empty_cache();
}

}  // namespace

int main(int argc, char** argv) {
  is_small = argc > 1 && std::string(argv[1]) == "small";
  if (c10::device_count(c10::DeviceType::CUDA) == 0) {
    std::printf("no CUDA device is available here: nothing was tested\n");
    return 77;
  }
  const std::vector<std::pair<const char*, void (*)()>> groups = {
      {"runtime", test_runtime},   {"elementwise", test_elementwise},
      {"copies", test_copies},     {"reductions", test_reductions},
      {"indexing", test_indexing}, {"normalisation", test_normalisation},
      {"random", test_random},     {"products", test_products}};
  for (const auto& [name, run] : groups) {
    const int before = checks;
    try {
      run();
    } catch (const std::exception& error) {
      fail(name, error.what());
    }
    std::printf("%s: %d checks\n", name, checks - before);
  }
  std::printf("%d checks, %d failures\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
