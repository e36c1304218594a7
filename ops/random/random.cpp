// Filling with random numbers: random_, uniform_, normal_, bernoulli_ around their device's kernel, and
// normal and bernoulli made of them.

#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/factories/options.h>
#include <ATen/native/random/random_integers.h>
#include <ATen/native/random/stubs.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/add.h>
#include <ATen/ops/bernoulli.h>
#include <ATen/ops/bernoulli_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/normal.h>
#include <ATen/ops/normal_native.h>
#include <ATen/ops/random_native.h>
#include <ATen/ops/to.h>
#include <ATen/ops/uniform_native.h>

#include <limits>

namespace at::native {

DEFINE_DISPATCH(random_integers_stub);
DEFINE_DISPATCH(uniform_stub);
DEFINE_DISPATCH(normal_stub);
DEFINE_DISPATCH(bernoulli_scalar_stub);
DEFINE_DISPATCH(bernoulli_tensor_stub);

namespace {

// Runs fill(contiguous tensor), on self or on a copy, so that values depend on an element's index, not on
// strides.
template <class Fill>
void fill_contiguous(Tensor& self, const Fill& fill) {
  at::assert_no_internal_overlap(self);
  if (self.numel() == 0) {
    return;
  }
  if (self.is_contiguous()) {
    fill(self);
    return;
  }
  const Tensor copy = at::empty_like(self, MemoryFormat::Contiguous);
  fill(copy);
  self.copy_(copy);
}

void check_uniform(const Tensor& self, double from, double to) {
  TORCH_CHECK(from <= to, "uniform_ expects to return a [from, to) range, but found from=", from,
              " > to=", to);
  TORCH_CHECK(to - from <= std::numeric_limits<double>::max(), "uniform_ expects to-from <= the largest ",
              self.scalar_type(), ", but found to=", to, " and from=", from);
}

void check_std(double std) { TORCH_CHECK(std >= 0.0, "normal expects std >= 0.0, but found std ", std); }

void check_probability(double p) {
  TORCH_CHECK(p >= 0 && p <= 1, "bernoulli_ expects p to be in [0, 1], but got p=", p);
}

}  // namespace

// -------------------- integers

namespace {

// The integers from `least` to `most` are those that dtype represents, limited to int64_t.
struct Bounds {
  int64_t least, most;
};

template <class T>
constexpr Bounds bounds_of() {
  return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

Bounds bounds_of(ScalarType dtype) {
  switch (dtype) {
    case kBool:
      return {0, 1};
    case kByte:
      return bounds_of<uint8_t>();
    case kChar:
      return bounds_of<int8_t>();
    case kShort:
      return bounds_of<int16_t>();
    case kInt:
      return bounds_of<int32_t>();
    case kUInt16:
      return bounds_of<uint16_t>();
    case kUInt32:
      return bounds_of<uint32_t>();
    case kUInt64:
      return {0, std::numeric_limits<int64_t>::max()};
    case kHalf:
      return {-65504, 65504};
    default:
      return bounds_of<int64_t>();
  }
}

// The end of the range of exact integers: the largest integer of the dtype, or where floats begin to have
// gaps.
int64_t last_exact(ScalarType dtype) {
  switch (dtype) {
    case kHalf:
      return int64_t{1} << 11;
    case kBFloat16:
      return int64_t{1} << 8;
    case kFloat:
      return int64_t{1} << 24;
    case kDouble:
      return int64_t{1} << 53;
    default:
      return bounds_of(dtype).most;
  }
}

// The last value; an error unless there is one and all are representable in dtype.
int64_t check_random(ScalarType dtype, int64_t from, std::optional<int64_t> to) {
  TORCH_CHECK(!to || from < *to, "random_ expects 'from' to be less than 'to', but got from=", from,
              " >= to=", to.value_or(0));
  TORCH_CHECK_NOT_IMPLEMENTED(to || !isComplexType(dtype), "random_: expected a real or bool dtype, got ",
                              dtype);
  TORCH_CHECK(!isComplexType(dtype), "random_: expected a real or bool dtype, got ", dtype);
  const Bounds bounds = bounds_of(dtype);
  TORCH_CHECK(from >= bounds.least && from <= bounds.most, "from is out of bounds for ", dtype);
  const int64_t last = to ? *to - 1 : last_exact(dtype);
  TORCH_CHECK(last <= bounds.most, "to - 1 is out of bounds for ", dtype);
  TORCH_CHECK(from <= last, "random_ expects 'from' to be at most ", last, " for ", dtype, ", but got ",
              from);
  return last;
}

}  // namespace

Tensor& random_(Tensor& self, int64_t from, std::optional<int64_t> to, std::optional<Generator> gen) {
  const int64_t last = check_random(self.scalar_type(), from, to);
  const uint64_t range = static_cast<uint64_t>(last) - static_cast<uint64_t>(from) + 1;
  fill_contiguous(self,
                  [&](const Tensor& t) { random_integers_stub(t.device().type(), t, range, from, gen); });
  return self;
}

Tensor& random_meta_(Tensor& self, int64_t from, std::optional<int64_t> to,
                     std::optional<Generator> /*gen*/) {
  check_random(self.scalar_type(), from, to);
  return self;
}

// -------------------- uniform

Tensor& uniform_(Tensor& self, double from, double to, std::optional<Generator> gen) {
  check_uniform(self, from, to);
  fill_contiguous(self, [&](const Tensor& t) { uniform_stub(t.device().type(), t, from, to, gen); });
  return self;
}

Tensor& uniform_meta_(Tensor& self, double from, double to, std::optional<Generator> /*gen*/) {
  check_uniform(self, from, to);
  return self;
}

// -------------------- normal

Tensor& normal_(Tensor& self, double mean, double std, std::optional<Generator> gen) {
  check_std(std);
  fill_contiguous(self, [&](const Tensor& t) { normal_stub(t.device().type(), t, mean, std, gen); });
  return self;
}

Tensor normal_functional(const Tensor& self, double mean, double std, std::optional<Generator> gen) {
  return at::empty_like(self).normal_(mean, std, std::move(gen));
}

Tensor& normal_meta_(Tensor& self, double /*mean*/, double std, std::optional<Generator> /*gen*/) {
  check_std(std);
  return self;
}

namespace {

// output = z * std + mean for z standard normal of the broadcast shape.
template <class Mean, class Std>
Tensor& scaled_normal(const Mean& mean, const Std& std, IntArrayRef shape, std::optional<Generator> gen,
                      Tensor& output) {
  resize_output(output, shape);
  output.normal_(0, 1, std::move(gen));
  return output.mul_(std).add_(mean);
}

DimVector broadcast_shape(const Tensor& mean, const Tensor& std) {
  return infer_size_dimvector(mean.sizes(), std.sizes());
}

}  // namespace

Tensor& normal_out(const Tensor& mean, double std, std::optional<Generator> gen, Tensor& output) {
  check_std(std);
  return scaled_normal(mean, std, mean.sizes(), std::move(gen), output);
}
Tensor& normal_out(double mean, const Tensor& std, std::optional<Generator> gen, Tensor& output) {
  return scaled_normal(mean, std, std.sizes(), std::move(gen), output);
}
Tensor& normal_out(const Tensor& mean, const Tensor& std, std::optional<Generator> gen, Tensor& output) {
  return scaled_normal(mean, std, broadcast_shape(mean, std), std::move(gen), output);
}
Tensor normal(const Tensor& mean, double std, std::optional<Generator> gen) {
  Tensor output = at::empty_like(mean, MemoryFormat::Contiguous);
  return normal_out(mean, std, std::move(gen), output);
}
Tensor normal(double mean, const Tensor& std, std::optional<Generator> gen) {
  Tensor output = at::empty_like(std, MemoryFormat::Contiguous);
  return normal_out(mean, std, std::move(gen), output);
}
Tensor normal(const Tensor& mean, const Tensor& std, std::optional<Generator> gen) {
  Tensor output = at::empty(broadcast_shape(mean, std), mean.options());
  return normal_out(mean, std, std::move(gen), output);
}

Tensor& normal_out_meta(const Tensor& mean, double std, std::optional<Generator> /*gen*/, Tensor& output) {
  check_std(std);
  resize_output(output, mean.sizes());
  return output;
}
Tensor& normal_out_meta(double /*mean*/, const Tensor& std, std::optional<Generator> /*gen*/,
                        Tensor& output) {
  resize_output(output, std.sizes());
  return output;
}
Tensor& normal_out_meta(const Tensor& mean, const Tensor& std, std::optional<Generator> /*gen*/,
                        Tensor& output) {
  resize_output(output, broadcast_shape(mean, std));
  return output;
}
Tensor normal_meta(const Tensor& mean, double std, std::optional<Generator> /*gen*/) {
  check_std(std);
  return at::empty_like(mean, MemoryFormat::Contiguous);
}
Tensor normal_meta(double /*mean*/, const Tensor& std, std::optional<Generator> /*gen*/) {
  return at::empty_like(std, MemoryFormat::Contiguous);
}
Tensor normal_meta(const Tensor& mean, const Tensor& std, std::optional<Generator> /*gen*/) {
  return at::empty(broadcast_shape(mean, std), mean.options());
}

Tensor normal(double mean, double std, IntArrayRef size, std::optional<Generator> gen,
              std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device,
              std::optional<bool> pin_memory) {
  const TensorOptions options = make_options(dtype, layout, device, pin_memory);
  return at::empty(size, options).normal_(mean, std, std::move(gen));
}
Tensor& normal_out(double mean, double std, IntArrayRef size, std::optional<Generator> gen, Tensor& result) {
  resize_output(result, size);
  return result.normal_(mean, std, std::move(gen));
}

// -------------------- bernoulli

Tensor& bernoulli_(Tensor& self, double p, std::optional<Generator> gen) {
  check_probability(p);
  fill_contiguous(self, [&](const Tensor& t) { bernoulli_scalar_stub(t.device().type(), t, p, gen); });
  return self;
}

Tensor& bernoulli_(Tensor& self, const Tensor& p, std::optional<Generator> gen) {
  TORCH_CHECK(isFloatingType(p.scalar_type()), "expected probabilities tensor to have floating type, got ",
              p.scalar_type());
  const Tensor wide = p.scalar_type() == kDouble ? p : p.to(kFloat);
  const Tensor chances = wide.expand(self.sizes()).contiguous();
  fill_contiguous(self, [&](const Tensor& t) { bernoulli_tensor_stub(t.device().type(), t, chances, gen); });
  return self;
}

Tensor bernoulli(const Tensor& self, std::optional<Generator> gen) {
  return at::empty_like(self).bernoulli_(self, std::move(gen));
}

Tensor bernoulli(const Tensor& self, double p, std::optional<Generator> gen) {
  return at::empty_like(self).bernoulli_(p, std::move(gen));
}

Tensor& bernoulli_out(const Tensor& self, std::optional<Generator> gen, Tensor& result) {
  resize_output(result, self.sizes());
  return result.bernoulli_(self, std::move(gen));
}

}  // namespace at::native
