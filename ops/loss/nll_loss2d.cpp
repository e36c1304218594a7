// The negative log likelihood at each position of a plane: positions are treated as batch.
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/nll_loss2d_backward.h>
#include <ATen/ops/nll_loss2d_backward_native.h>
#include <ATen/ops/nll_loss2d_forward.h>
#include <ATen/ops/nll_loss2d_forward_native.h>
#include <ATen/ops/nll_loss2d_native.h>
#include <ATen/ops/nll_loss_backward.h>
#include <ATen/ops/nll_loss_forward.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/view.h>

#include <tuple>

namespace at::native {

namespace {

void check_planes(const Tensor& self, const Tensor& target) {
  TORCH_CHECK(target.dim() == 3, "only batches of spatial targets supported (3D tensors) but got targets of ",
              "dimension: ", target.dim());
  TORCH_CHECK(
      self.dim() == 4,
      "only batches of spatial inputs supported (4D tensors), but got input of dimension: ", self.dim());
  TORCH_CHECK(
      self.size(0) == target.size(0) && self.size(2) == target.size(1) && self.size(3) == target.size(2),
      "size mismatch (got input: ", self.sizes(), " , target: ", target.sizes(), ")");
}

Tensor by_places(const Tensor& self) {
  return self.permute({0, 2, 3, 1}).reshape({self.size(0) * self.size(2) * self.size(3), self.size(1)});
}

Tensor& write_loss(Tensor& out, const Tensor& result) {
  TORCH_CHECK(out.scalar_type() == result.scalar_type(), "nll_loss2d: expected out of dtype ",
              result.scalar_type(), ", got ", out.scalar_type());
  resize_output(out, result.sizes());
  return out.copy_(result);
}

}  // namespace

std::tuple<Tensor, Tensor> nll_loss2d_forward(const Tensor& self, const Tensor& target,
                                              const std::optional<Tensor>& weight, int64_t reduction,
                                              int64_t ignore_index) {
  check_planes(self, target);
  auto [loss, total_weight] = at::nll_loss_forward(by_places(self), target.reshape({target.numel()}), weight,
                                                   reduction, ignore_index);
  return {reduction == Reduction::None ? loss.view(target.sizes()) : loss, total_weight};
}

std::tuple<Tensor&, Tensor&> nll_loss2d_forward_out(const Tensor& self, const Tensor& target,
                                                    const std::optional<Tensor>& weight, int64_t reduction,
                                                    int64_t ignore_index, Tensor& output,
                                                    Tensor& total_weight) {
  const auto [loss, total] = at::nll_loss2d_forward(self, target, weight, reduction, ignore_index);
  write_loss(output, loss);
  write_loss(total_weight, total);
  return {output, total_weight};
}

Tensor nll_loss2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                           const std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index,
                           const Tensor& total_weight) {
  check_planes(self, target);
  const bool each = reduction == Reduction::None;
  TORCH_CHECK(each ? grad_output.sizes() == target.sizes() : grad_output.numel() == 1,
              "nll_loss2d_backward: expected a grad_output ", each ? "of target's sizes" : "of one element",
              ", got ", grad_output.sizes());
  const Tensor grad = each ? grad_output.reshape({target.numel()}) : grad_output.reshape({});
  const Tensor rows = at::nll_loss_backward(grad, by_places(self), target.reshape({target.numel()}), weight,
                                            reduction, ignore_index, total_weight);
  return rows.reshape({self.size(0), self.size(2), self.size(3), self.size(1)})
      .permute({0, 3, 1, 2})
      .contiguous();
}

Tensor& nll_loss2d_backward_out(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                const std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index,
                                const Tensor& total_weight, Tensor& grad_input) {
  return write_loss(grad_input, at::nll_loss2d_backward(grad_output, self, target, weight, reduction,
                                                        ignore_index, total_weight));
}

Tensor nll_loss2d_symint(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                         int64_t reduction, c10::SymInt ignore_index) {
  return std::get<0>(at::nll_loss2d_forward(self, target, weight, reduction, ignore_index.expect_int()));
}

Tensor& nll_loss2d_out(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                       int64_t reduction, int64_t ignore_index, Tensor& out) {
  Tensor total_weight = at::empty({}, self.options());
  return std::get<0>(
      at::nll_loss2d_forward_outf(self, target, weight, reduction, ignore_index, out, total_weight));
}

}  // namespace at::native
