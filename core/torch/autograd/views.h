// Autograd of views: their history follows that of their base, whichever of them is written to.
#pragma once

#include <torch/autograd/node.h>

namespace torch::inline C10_ABI::autograd {

/// The geometry of a tensor: sizes, strides, offset and dtype.
struct Geometry {
  explicit Geometry(const at::TensorBase& t)
      : sizes(t.sizes()), strides(t.strides()), offset(t.storage_offset()), dtype(t.scalar_type()) {}

  c10::DimVector sizes, strides;
  int64_t offset;
  c10::ScalarType dtype;
};

/// A view of `t` like the view with geometry `view` of a base with geometry `base`; t has base's sizes and
/// strides. Throws where no view operator leads from one dtype to the other.
TORCH_API Tensor replay_view(const Tensor& t, const Geometry& base, const Geometry& view);

/// grad_fn_of() a view: recomputed where base or view were written to. Throws where that can't be recorded.
TORCH_API c10::intrusive_ptr<Node> grad_fn_of_view(const at::TensorBase& view);

/// Throws where autograd can't record a write to the view; `indirect`: the write was to its base or another
/// view.
TORCH_API void check_writable(const at::TensorBase& view, bool indirect);

/// CopySlices: the node of a base after the operator of node `write` wrote to one of its views. In the view's
/// part the base's gradient goes through `write`.
class TORCH_API CopySlices final : public Node {
 public:
  CopySlices(const at::TensorBase& base, const at::TensorBase& view, c10::intrusive_ptr<Node> write);
  ~CopySlices() override;
  variable_list apply(variable_list&& grads) override;
  void release_variables() override;
  const char* name() const override { return "torch::autograd::CopySlices"; }
  const char* operator_name() const override { return operator_name_.c_str(); }

 private:
  Geometry base_, view_;
  c10::intrusive_ptr<Node> write_;
  std::string operator_name_;
};

}  // namespace torch::inline C10_ABI::autograd
