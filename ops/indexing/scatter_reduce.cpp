// scatter_reduce and index_reduce: elements with the same index are summed, multiplied, averaged or compared.
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/indexing/stubs.h>
#include <c10/core/Scalar.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/clamp.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/div.h>
#include <ATen/ops/index_reduce_native.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/scatter_reduce_native.h>
#include <ATen/ops/zeros.h>

#include <limits>

namespace at::native {

namespace {

ScatterType type_of(c10::string_view reduce) {
  return reduce == "prod"   ? ScatterType::Multiply
         : reduce == "amax" ? ScatterType::Maximum
         : reduce == "amin" ? ScatterType::Minimum
                            : ScatterType::Add;
}

template <class T>
Scalar extreme(bool largest) {
  return largest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
}

// The largest or smallest value of a dtype.
Scalar extreme_of(ScalarType dtype, bool largest) {
  switch (dtype) {
    case kBool:
      return largest;
    case kByte:
      return extreme<uint8_t>(largest);
    case kChar:
      return extreme<int8_t>(largest);
    case kShort:
      return extreme<int16_t>(largest);
    case kInt:
      return extreme<int32_t>(largest);
    case kLong:
      return extreme<int64_t>(largest);
    default:
      return largest ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  }
}

// The identity of the reduction.
Scalar neutral(ScatterType type, ScalarType dtype) {
  switch (type) {
    case ScatterType::Multiply:
      return 1;
    case ScatterType::Maximum:
      return extreme_of(dtype, /*largest=*/false);
    case ScatterType::Minimum:
      return extreme_of(dtype, /*largest=*/true);
    default:
      return 0;
  }
}

void check_dtype(const char* name, c10::string_view reduce, ScalarType dtype) {
  const bool adds_or_multiplies = reduce == "sum" || reduce == "prod";
  TORCH_CHECK_NOT_IMPLEMENTED(adds_or_multiplies || !isComplexType(dtype), name, "(): reduce '", reduce,
                              "' is not implemented for complex dtypes, got ", dtype);
  TORCH_CHECK_NOT_IMPLEMENTED(reduce != "mean" || dtype != kBool, name,
                              "(): reduce 'mean' is not implemented for ", dtype);
}

// Divides the sums in `result` by the number of elements that `index` put there.
void divide_by_counts(const Tensor& result, int64_t dim, const TensorBase& index, bool include_self) {
  const auto options = result.options().dtype(kLong);
  const Tensor counts = include_self ? at::ones(result.sizes(), options) : at::zeros(result.sizes(), options);
  scatter_stub(result.device().type(), counts, dim, index, at::scalar_tensor(1, options), ScatterType::Add);
  const Tensor divisors = counts.clamp(1);
  if (result.is_floating_point()) {
    result.div_(divisors);
  } else {
    result.div_(divisors, "floor");
  }
}

void reduce_into(const Tensor& result, const Tensor& self, int64_t dim, const TensorBase& index,
                 const TensorBase& src, c10::string_view reduce, bool include_self) {
  if (!result.is_same(self)) const_cast<Tensor&>(result).copy_(self);
  if (index.numel() == 0) return;
  const auto device = result.device().type();
  const ScatterType type = type_of(reduce);
  if (!include_self) {
    const Tensor start = at::scalar_tensor(neutral(type, self.scalar_type()), self.options());
    scatter_stub(device, result, dim, index, start, ScatterType::Assign);
  }
  scatter_stub(device, result, dim, index, src, type);
  if (reduce == "mean") divide_by_counts(result, dim, index, include_self);
}

}  // namespace

TORCH_IMPL_FUNC(scatter_reduce_two)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, c10::string_view reduce,
 bool include_self, const Tensor& out) {
  check_dtype("scatter_reduce", reduce, self.scalar_type());
  reduce_into(out, self, maybe_wrap_dim(dim, self.dim()), index, src, reduce, include_self);
}

// Each index is that of a whole slice of source: it is repeated by strides of zero.
TORCH_IMPL_FUNC(index_reduce_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, c10::string_view reduce,
 bool include_self, const Tensor& result) {
  check_dtype("index_reduce", reduce, self.scalar_type());
  DimVector sizes(source.sizes().begin(), source.sizes().end()), strides(sizes.size(), 0);
  if (!sizes.empty()) strides[dim] = index.dim() == 0 ? 0 : index.strides()[0];
  const TensorBase repeated = at::detail::make_view(index, sizes, strides, index.storage_offset());
  reduce_into(result, self, dim, repeated, source, reduce, include_self);
}

}  // namespace at::native
