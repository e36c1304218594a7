// isin: comparisons with few elements, binary search among many.
#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/Scalar.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/any.h>
#include <ATen/ops/bitwise_or.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/isin_meta.h>
#include <ATen/ops/isin_native.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/searchsorted.h>
#include <ATen/ops/select.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>

namespace at::meta {

namespace {

void check_dtype(ScalarType dtype) {
  TORCH_CHECK(!isComplexType(dtype) && dtype != kBool,
              "Unsupported input type encountered for isin(): ", dtype);
}

void check_out(const Tensor& out) {
  TORCH_CHECK(!out.defined() || out.scalar_type() == kBool,
              "Expected out tensor to have dtype bool, but got ", out.scalar_type(), " instead");
}

}  // namespace

TORCH_META_FUNC2(isin, Tensor_Tensor)
(const Tensor& elements, const Tensor& test_elements, bool /*assume_unique*/, bool /*invert*/) {
  check_dtype(elements.scalar_type());
  check_dtype(test_elements.scalar_type());
  check_out(maybe_get_output());
  set_output_raw_strided(0, elements.sizes(), {}, elements.options().dtype(kBool));
}

TORCH_META_FUNC2(isin, Tensor_Scalar)
(const Tensor& elements, const Scalar& test_element, bool /*assume_unique*/, bool /*invert*/) {
  check_dtype(elements.scalar_type());
  check_dtype(test_element.type());
  check_out(maybe_get_output());
  set_output_raw_strided(0, elements.sizes(), {}, elements.options().dtype(kBool));
}

TORCH_META_FUNC2(isin, Scalar_Tensor)
(const Scalar& element, const Tensor& test_elements, bool /*assume_unique*/, bool /*invert*/) {
  check_dtype(element.type());
  check_dtype(test_elements.scalar_type());
  check_out(maybe_get_output());
  set_output_raw_strided(0, {}, {}, test_elements.options().dtype(kBool));
}

}  // namespace at::meta

namespace at::native {

namespace {

// Comparing with each costs less than a search up to here.
constexpr int64_t few_elements = 8;

// Elements that a search can have: the bits of unsigned ones order in another way, but equal ones stay equal.
Tensor searchable(const Tensor& elements) {
  switch (elements.scalar_type()) {
    case kUInt16:
      return elements.view(kShort);
    case kUInt32:
      return elements.view(kInt);
    case kUInt64:
      return elements.view(kLong);
    default:
      return elements;
  }
}

// By passes over the elements, or where each pass is a launch, by a comparison of all pairs.
Tensor found_among_few(const Tensor& elements, const Tensor& test_elements) {
  if (!elements.is_cpu()) return elements.unsqueeze(-1).eq(test_elements).any(-1);
  Tensor found = elements.eq(test_elements.select(0, 0));
  for (int64_t i = 1; i < test_elements.numel(); ++i) {
    found.bitwise_or_(elements.eq(test_elements.select(0, i)));
  }
  return found;
}

void find_elements(const Tensor& elements, const Tensor& test_elements, bool invert, const Tensor& result) {
  Tensor& out = const_cast<Tensor&>(result);
  if (elements.numel() == 0) return;
  const int64_t n = test_elements.numel();
  if (n == 0) {
    out.fill_(invert);
    return;
  }
  const ScalarType dtype = promoted_type(elements, test_elements);
  const Tensor asked_for = test_elements.to(dtype).reshape({-1});
  Tensor found;
  if (n <= few_elements) {
    found = found_among_few(elements.to(dtype), asked_for);
  } else {
    const Tensor sorted = std::get<0>(searchable(asked_for).sort());
    const Tensor asked = searchable(elements.to(dtype).reshape({-1}));
    const Tensor places = at::searchsorted(sorted, asked).clamp_max_(n - 1);
    found = sorted.index_select(0, places).eq(asked).view(elements.sizes());
  }
  out.copy_(invert ? found.logical_not() : found);
}

}  // namespace

TORCH_IMPL_FUNC(isin_Tensor_Tensor_out)
(const Tensor& elements, const Tensor& test_elements, bool /*assume_unique*/, bool invert,
 const Tensor& result) {
  find_elements(elements, test_elements, invert, result);
}

TORCH_IMPL_FUNC(isin_Tensor_Scalar_out)
(const Tensor& elements, const Scalar& test_element, bool /*assume_unique*/, bool invert,
 const Tensor& result) {
  Tensor& out = const_cast<Tensor&>(result);
  invert ? at::ne_outf(elements, test_element, out) : at::eq_outf(elements, test_element, out);
}

TORCH_IMPL_FUNC(isin_Scalar_Tensor_out)
(const Scalar& element, const Tensor& test_elements, bool /*assume_unique*/, bool invert,
 const Tensor& result) {
  const ScalarType dtype = promoted_type(test_elements, element);
  const Tensor elements = at::scalar_tensor(element, test_elements.options().dtype(dtype));
  find_elements(elements, test_elements, invert, result);
}

}  // namespace at::native
