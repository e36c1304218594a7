// Views in the graph: their history follows that of their base, whichever of them is written to.
#pragma once

#include <torch/autograd/node.h>

namespace torch::inline C10_ABI::autograd {

/// Sizes, strides, offset and dtype: how a tensor lies in its storage.
struct Geometry {
  explicit Geometry(const at::TensorBase& t)
      : sizes(t.sizes()), strides(t.strides()), offset(t.storage_offset()), dtype(t.scalar_type()) {}

  c10::DimVector sizes, strides;
  int64_t offset;
  c10::ScalarType dtype;
};

/// What a view with geometry `view` of a tensor with geometry `base` shows of `t`, which has base's sizes and
/// strides: a view of t. Throws where the dtypes are such that no view operator leads from one to the other.
TORCH_API Tensor replay_view(const Tensor& t, const Geometry& base, const Geometry& view);

/// grad_fn_of() a view: made anew where base or view were written to. Throws where that cannot be recorded.
TORCH_API c10::intrusive_ptr<Node> grad_fn_of_view(const at::TensorBase& view);

/// Throws where autograd cannot record that the view is written to; `indirect`: that its base or another view
/// of it was.
TORCH_API void check_writable(const at::TensorBase& view, bool indirect);

/// The node of a base, one of whose views was written to by the operator of node `write`: it gives the base's
/// gradient the operator's own where the view lies.
class TORCH_API CopySlices final : public Node {
 public:
  CopySlices(const at::TensorBase& base, const at::TensorBase& view, c10::intrusive_ptr<Node> write);
  ~CopySlices() override;
  variable_list apply(variable_list&& grads) override;
  void release_variables() override;
  const char* name() const override { return "CopySlices"; }
  const char* operator_name() const override { return operator_name_.c_str(); }

 private:
  Geometry base_, view_;
  c10::intrusive_ptr<Node> write_;
  std::string operator_name_;
};

}  // namespace torch::inline C10_ABI::autograd
