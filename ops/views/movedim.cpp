// Views composed of permute, transpose and view: movedim, swapaxes, adjoint, ravel, unflatten and their
// aliases.
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/views/read_integers.h>
#include <c10/core/SymInt.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/_reshape_from_tensor_native.h>
#include <ATen/ops/adjoint_native.h>
#include <ATen/ops/conj.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/mH_native.h>
#include <ATen/ops/matrix_H_native.h>
#include <ATen/ops/moveaxis_native.h>
#include <ATen/ops/movedim.h>
#include <ATen/ops/movedim_native.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/ravel_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/swapaxes_native.h>
#include <ATen/ops/swapdims_native.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/unflatten_native.h>
#include <ATen/ops/view.h>

#include <algorithm>

namespace at::native {

// -------------------- movedim

namespace {

DimVector wrapped_dims(IntArrayRef dims, int64_t ndim, const char* what) {
  DimVector wrapped;
  for (const int64_t given : dims) {
    const int64_t dim = maybe_wrap_dim(given, ndim);
    TORCH_CHECK(std::find(wrapped.begin(), wrapped.end(), dim) == wrapped.end(), "movedim: repeated dim in `",
                what, "` (", dims, ")");
    wrapped.push_back(dim);
  }
  return wrapped;
}

}  // namespace

Tensor movedim(const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  TORCH_CHECK(source.size() == destination.size(), "movedim: Invalid source or destination dims: source (",
              source, " dims) should contain the same number of dims as destination (", destination,
              " dims)");
  const int64_t ndim = self.dim();
  const DimVector from = wrapped_dims(source, ndim, "source");
  const DimVector to = wrapped_dims(destination, ndim, "destination");
  if (ndim == 0) return self.permute({});
  constexpr int64_t unset = -1;
  DimVector order(ndim, unset);
  for (size_t i = 0; i < from.size(); ++i) order[to[i]] = from[i];
  // The dimensions that aren't named fill the gaps in their order.
  int64_t next = 0;
  for (int64_t& place : order) {
    if (place != unset) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    place = next++;
  }
  return self.permute(order);
}

Tensor movedim(const Tensor& self, int64_t source, int64_t destination) {
  return at::movedim(self, IntArrayRef(source), IntArrayRef(destination));
}

Tensor moveaxis(const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  return at::movedim(self, source, destination);
}

Tensor moveaxis(const Tensor& self, int64_t source, int64_t destination) {
  return at::movedim(self, source, destination);
}

// -------------------- Two dimensions exchanged

Tensor swapaxes(const Tensor& self, int64_t axis0, int64_t axis1) { return self.transpose(axis0, axis1); }
Tensor& swapaxes_(Tensor& self, int64_t axis0, int64_t axis1) { return self.transpose_(axis0, axis1); }
Tensor swapdims(const Tensor& self, int64_t dim0, int64_t dim1) { return self.transpose(dim0, dim1); }
Tensor& swapdims_(Tensor& self, int64_t dim0, int64_t dim1) { return self.transpose_(dim0, dim1); }

namespace {

Tensor adjoint_view(const Tensor& self) {
  if (self.dim() != 0) {
    const Tensor exchanged = self.transpose(-2, -1);
    return exchanged.is_complex() ? exchanged._conj() : exchanged;
  }
  TORCH_WARN_ONCE(
      "The conjugate transpose of a 0-D tensor is deprecated: consider x.conj(), which gives the same.");
  return self.is_complex() ? self._conj() : self;
}

void check_matrices(const Tensor& self, const char* name) {
  TORCH_CHECK(self.dim() != 1, "tensor.", name,
              " is only supported on matrices or batches of matrices. Got 1-D tensor.");
}

}  // namespace

Tensor adjoint(const Tensor& self) {
  check_matrices(self, "adjoint()");
  return adjoint_view(self);
}

Tensor mH(const Tensor& self) {
  check_matrices(self, "mH");
  return adjoint_view(self);
}

Tensor matrix_H(const Tensor& self) {
  TORCH_CHECK(self.dim() == 0 || self.dim() == 2,
              "tensor.H is only supported on matrices (2-D tensors). Got ", self.dim(), "-D tensor.",
              self.dim() > 2 ? " For batches of matrices, consider using tensor.mH" : "");
  return adjoint_view(self);
}

// -------------------- Other shapes

Tensor ravel(const Tensor& self) { return self.contiguous().view(-1); }

Tensor unflatten_symint(const Tensor& self, int64_t dim, c10::SymIntArrayRef sizes) {
  const IntArrayRef parts = C10_AS_INTARRAYREF_SLOW(sizes);
  TORCH_CHECK(!parts.empty(), "unflatten: sizes must be non-empty");
  dim = maybe_wrap_dim(dim, self.dim());
  const int64_t size = self.size(dim);
  int64_t product = 1, inferred = 0;
  for (const int64_t part : parts) {
    inferred += part == -1;
    TORCH_CHECK(part >= -1, "unflatten: invalid size ", part, " in ", parts);
    if (part != -1) {
      TORCH_CHECK(!__builtin_mul_overflow(product, part, &product), "unflatten: sizes too large");
    }
  }
  TORCH_CHECK(inferred <= 1, "unflatten: only one dimension can be inferred, but got ", parts);
  TORCH_CHECK(inferred == 0 || product != 0, "unflatten: the size that -1 stands for is ambiguous in ",
              parts);
  TORCH_CHECK(inferred == 1 ? size % product == 0 : size == product, "unflatten: Provided sizes ", parts,
              " don't multiply up to the size of dim ", dim, " (", size, ") in the input tensor");
  DimVector shape(self.sizes().begin(), self.sizes().begin() + dim);
  for (const int64_t part : parts) shape.push_back(part == -1 ? size / product : part);
  shape.insert(shape.end(), self.sizes().begin() + dim + 1, self.sizes().end());
  return self.view(shape);
}

Tensor _reshape_from_tensor(const Tensor& self, const Tensor& shape) {
  TORCH_CHECK(shape.dim() == 1 && shape.scalar_type() == kLong,
              "_reshape_from_tensor: shape must be a vector of int64, got ", shape.scalar_type(), " of ",
              shape.dim(), " dimensions");
  return self.reshape(read_integers(shape));
}

}  // namespace at::native
