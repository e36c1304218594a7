// Copies and clones for the generated autogen kernels.
#include <ATen/native/AutogenKernels.h>

#include <ATen/native/Resize.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>

namespace at::inline C10_ABI::impl {

void copy_to_out(const Tensor& result, const Tensor& out) {
  if (!result.defined()) {  // masked out by `output_mask`: there is nothing to write
    return;
  }
  TORCH_CHECK(out.scalar_type() == result.scalar_type(), "argument 'out': expected dtype ",
              c10::toString(result.scalar_type()), ", got ", c10::toString(out.scalar_type()));
  TORCH_CHECK(out.device() == result.device(), "argument 'out': expected device ", result.device().str(),
              ", got ", out.device().str());
  at::native::resize_output(out, result.sizes());
  out.copy_(result);
}

void copy_to_out(const std::vector<Tensor>& results, TensorList outs) {
  TORCH_CHECK(results.size() == outs.size(), "argument 'out': expected ", results.size(), " tensors, got ",
              outs.size());
  for (size_t i = 0; i < results.size(); ++i) {
    copy_to_out(results[i], outs[i]);
  }
}

Tensor clone_argument(const Tensor& self) { return self.clone(); }
std::optional<Tensor> clone_argument(const std::optional<Tensor>& self) {
  return self && self->defined() ? std::optional<Tensor>(self->clone()) : std::nullopt;
}
std::vector<Tensor> clone_argument(TensorList self) {
  std::vector<Tensor> clones;
  clones.reserve(self.size());
  for (const Tensor& t : self) {
    clones.push_back(t.clone());
  }
  return clones;
}

Tensor clone_view(const Tensor& view) { return view.clone(c10::MemoryFormat::Contiguous); }
std::vector<Tensor> clone_view(const std::vector<Tensor>& views) {
  std::vector<Tensor> clones;
  clones.reserve(views.size());
  for (const Tensor& view : views) {
    clones.push_back(clone_view(view));
  }
  return clones;
}

}  // namespace at::inline C10_ABI::impl
