// Several tensors brought to one shape or to a least number of dimensions: broadcast_tensors, meshgrid,
// atleast_1d, atleast_2d, atleast_3d.
#include <ATen/ExpandUtils.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/atleast_1d.h>
#include <ATen/ops/atleast_1d_native.h>
#include <ATen/ops/atleast_2d.h>
#include <ATen/ops/atleast_2d_native.h>
#include <ATen/ops/atleast_3d.h>
#include <ATen/ops/atleast_3d_native.h>
#include <ATen/ops/broadcast_tensors_native.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/meshgrid_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>

#include <utility>
#include <vector>

namespace at::native {

std::vector<Tensor> broadcast_tensors(TensorList tensors) {
  DimVector sizes;
  for (const Tensor& t : tensors) sizes = infer_size_dimvector(sizes, t.sizes());
  std::vector<Tensor> expanded;
  expanded.reserve(tensors.size());
  for (const Tensor& t : tensors) expanded.push_back(t.expand(sizes));
  return expanded;
}

// -------------------- meshgrid

namespace {

std::vector<Tensor> grids(TensorList tensors) {
  DimVector sizes;
  for (const Tensor& t : tensors) {
    TORCH_CHECK(t.dim() <= 1,
                "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: ", t.dim(), "D");
    TORCH_CHECK(t.scalar_type() == tensors[0].scalar_type(),
                "torch.meshgrid expects all tensors to have the same dtype");
    TORCH_CHECK(t.device() == tensors[0].device(),
                "torch.meshgrid expects all tensors to have the same device");
    sizes.push_back(t.numel());
  }
  std::vector<Tensor> found;
  found.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    DimVector shape(sizes.size(), 1);
    shape[i] = sizes[i];
    found.push_back(tensors[i].view(shape).expand(sizes));
  }
  return found;
}

}  // namespace

std::vector<Tensor> meshgrid(TensorList tensors) {
  TORCH_CHECK(!tensors.empty(), "meshgrid expects a non-empty TensorList");
  return grids(tensors);
}

// With indexing "xy" the first vector varies along dimension 1, and the second along dimension 0.
std::vector<Tensor> meshgrid(TensorList tensors, c10::string_view indexing) {
  TORCH_CHECK(!tensors.empty(), "meshgrid expects a non-empty TensorList");
  TORCH_CHECK(indexing == "xy" || indexing == "ij",
              "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: ", indexing);
  if (indexing == "ij" || tensors.size() < 2) return grids(tensors);
  std::vector<Tensor> turned(tensors.begin(), tensors.end());
  std::swap(turned[0], turned[1]);
  std::vector<Tensor> found = grids(turned);
  std::swap(found[0], found[1]);
  return found;
}

// -------------------- atleast_

Tensor atleast_1d(const Tensor& self) { return self.dim() == 0 ? self.reshape(1) : self; }

Tensor atleast_2d(const Tensor& self) {
  if (self.dim() == 0) return self.reshape({1, 1});
  return self.dim() == 1 ? self.unsqueeze(0) : self;
}

Tensor atleast_3d(const Tensor& self) {
  if (self.dim() == 0) return self.reshape({1, 1, 1});
  if (self.dim() == 1) return self.unsqueeze(0).unsqueeze(-1);
  return self.dim() == 2 ? self.unsqueeze(-1) : self;
}

namespace {

std::vector<Tensor> each(TensorList tensors, Tensor (*f)(const Tensor&)) {
  std::vector<Tensor> results;
  results.reserve(tensors.size());
  for (const Tensor& t : tensors) results.push_back(f(t));
  return results;
}

}  // namespace

std::vector<Tensor> atleast_1d(TensorList tensors) { return each(tensors, at::atleast_1d); }
std::vector<Tensor> atleast_2d(TensorList tensors) { return each(tensors, at::atleast_2d); }
std::vector<Tensor> atleast_3d(TensorList tensors) { return each(tensors, at::atleast_3d); }

}  // namespace at::native
