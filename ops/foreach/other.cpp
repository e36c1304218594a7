// _foreach_ operators that are no elementwise loops: copies, norms, products.
#include <ATen/core/Tensor.h>
#include <ATen/native/foreach/lists.h>
#include <c10/core/Scalar.h>

#include <limits>

#include <ATen/ops/_foreach_clone_native.h>
#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/_foreach_copy_native.h>
#include <ATen/ops/_foreach_max_native.h>
#include <ATen/ops/_foreach_mm_native.h>
#include <ATen/ops/_foreach_norm_native.h>
#include <ATen/ops/_foreach_powsum_native.h>
#include <ATen/ops/_foreach_zero_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/linalg__powsum.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/max.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zero.h>

namespace at::native {

void _foreach_zero_(TensorList self) {
  foreach
    ::check_lists({self});
  foreach
    ::update({self}, [&](size_t i) { return self[i].zero_(); });
}

std::vector<Tensor> _foreach_clone(TensorList self, std::optional<MemoryFormat> memory_format) {
  foreach
    ::check_lists({self});
  return foreach::map({self}, [&](size_t i) { return at::clone(self[i], memory_format); });
}

void _foreach_copy_(TensorList self, TensorList src, bool non_blocking) {
  foreach
    ::check_lists({self, src});
  foreach
    ::update({self, src}, [&](size_t i) { return self[i].copy_(src[i], non_blocking); });
}

std::vector<Tensor> _foreach_copy(TensorList self, TensorList src, bool non_blocking) {
  std::vector<Tensor> outs;
  outs.reserve(self.size());
  for (const Tensor& t : self) {
    outs.push_back(t.clone());
  }
  at::_foreach_copy_(outs, src, non_blocking);
  return outs;
}

std::vector<Tensor> _foreach_max(TensorList self) {
  foreach
    ::check_lists({self});
  for (const Tensor& t : self) {
    TORCH_CHECK(t.numel() > 0, "_foreach_max cannot compute the maximum of an empty tensor; max over zero ",
                "elements is undefined.");
  }
  return foreach::reduce(self, [&](size_t i) { return at::max(self[i]); });
}

std::vector<Tensor> _foreach_norm(TensorList self, const Scalar& ord, std::optional<ScalarType> dtype) {
  foreach
    ::check_lists({self});
  TORCH_CHECK(!ord.isComplex(), "ord must be an integer or a float, got ", ord);
  if (ord.toDouble() == std::numeric_limits<double>::infinity()) {
    for (const Tensor& t : self) {
      TORCH_CHECK(t.numel() > 0, "_foreach_norm cannot compute the infinity norm on an empty tensor because ",
                  "the operation does not have an identity");
    }
  }
  return foreach::reduce(self, [&](size_t i) {
    return at::linalg_vector_norm(self[i], ord, OptionalIntArrayRef(), /*keepdim=*/false, dtype);
  });
}

std::vector<Tensor> _foreach_powsum(TensorList self, const Scalar& ord, std::optional<ScalarType> dtype) {
  foreach
    ::check_lists({self});
  std::vector<Tensor> sums;
  sums.reserve(self.size());
  for (const Tensor& t : self) {
    sums.push_back(at::linalg__powsum(t, ord, OptionalIntArrayRef(), /*keepdim=*/false, dtype));
  }
  return sums;
}

std::vector<Tensor> _foreach_mm(TensorList self, TensorList mat2) {
  foreach
    ::check_lists({self, mat2});
  std::vector<Tensor> products;
  products.reserve(self.size());
  for (size_t i = 0; i < self.size(); i++) {
    products.push_back(at::mm(self[i], mat2[i]));
  }
  return products;
}

}  // namespace at::native
