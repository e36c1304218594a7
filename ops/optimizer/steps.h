// The arguments of fused steps, checked and made contiguous.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/native/optimizer/stubs.h>
#include <c10/macros/Macros.h>

#include <initializer_list>
#include <vector>

namespace at::native {

// Lists of tensors as the memory that a fused step works on. Tensors that are not dense, or not in the order
// of the first list's, are copied, and copied back by finish().
class TORCH_API StepLists {
 public:
  explicit StepLists(std::initializer_list<TensorList> lists);
  StepItems items;
  void finish();

 private:
  struct Copy {
    Tensor original, contiguous;
  };
  std::vector<Copy> copies_;
};

}  // namespace at::native
