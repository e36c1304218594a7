// What a tensor carries for autograd while nothing is recorded: the flag and a gradient that users set.
#include "state.h"

#include <ATen/core/Tensor.h>
#include <c10/core/TensorImpl.h>

namespace at::python {
namespace {

struct PlainAutogradMeta final : c10::AutogradMetaInterface {
  void set_requires_grad(bool requires_grad, c10::TensorImpl*) override { requires_grad_ = requires_grad; }
  bool requires_grad() const override { return requires_grad_; }
  at::Tensor& mutable_grad() override { return grad_; }
  const at::Tensor& grad() const override { return grad_; }
  const at::TensorBase& view_base() const override { return no_base_; }

 private:
  bool requires_grad_ = false;
  at::Tensor grad_;
  at::Tensor no_base_;
};

c10::AutogradMetaInterface* make() { return new PlainAutogradMeta(); }
constexpr c10::impl::AutogradMetaFactory factory{&make};

}  // namespace

void init_autograd_meta() {
  if (c10::impl::autograd_meta_factory() == nullptr) c10::impl::set_autograd_meta_factory(&factory);
}

}  // namespace at::python
