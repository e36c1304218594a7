// The negative log likelihood on the CPU: picks one element of each row.
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/loss/nll_loss.h>

namespace at::native {

namespace {

template <class T>
class Rows {
 public:
  using Acc = opmath_type<T>;

  explicit Rows(const NllLoss& loss)
      : self_(loss.self.const_data_ptr<T>()),
        target_(loss.target.const_data_ptr<int64_t>()),
        weight_(loss.weight.defined() ? loss.weight.const_data_ptr<T>() : nullptr),
        ignore_index_(loss.ignore_index),
        classes_(loss.self.sizes()[1]),
        row_stride_(loss.self.strides()[0]),
        class_stride_(loss.self.strides()[1]) {}

  bool ignored(int64_t row) const { return target_[row] == ignore_index_; }
  int64_t target(int64_t row) const {
    const int64_t target = target_[row];
    TORCH_CHECK_INDEX(target >= 0 && target < classes_, "Target ", target, " is out of bounds.");
    return target;
  }
  Acc weight(int64_t target) const { return weight_ == nullptr ? Acc(1) : static_cast<Acc>(weight_[target]); }
  Acc value(int64_t row, int64_t target) const {
    return static_cast<Acc>(self_[row * row_stride_ + target * class_stride_]);
  }

 private:
  const T* self_;
  const int64_t* target_;
  const T* weight_;
  int64_t ignore_index_, classes_, row_stride_, class_stride_;
};

void nll_each(const NllLoss& loss, const TensorBase& output) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, loss.self.scalar_type(), "nll_loss_out_frame", [&] {
    const Rows<scalar_t> rows(loss);
    auto* out = output.mutable_data_ptr<scalar_t>();
    const int64_t stride = output.dim() == 0 ? 0 : output.strides()[0];
    at::parallel_for(0, loss.target.numel(), at::internal::GRAIN_SIZE, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        const int64_t target = rows.ignored(i) ? -1 : rows.target(i);
        out[i * stride] =
            static_cast<scalar_t>(target < 0 ? 0 : -rows.weight(target) * rows.value(i, target));
      }
    });
  });
}

// Summed in pieces, so that rounding errors don't grow with the number of rows.
void nll_total(const NllLoss& loss, bool mean, const TensorBase& output, const TensorBase& total_weight) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, loss.self.scalar_type(), "nll_loss_out_frame", [&] {
    const Rows<scalar_t> rows(loss);
    using Acc = opmath_type<scalar_t>;
    constexpr int64_t piece = 128;
    const int64_t n = loss.target.numel();
    Acc sum = 0, weights = 0;
    for (int64_t first = 0; first < n; first += piece) {
      Acc part = 0, part_weights = 0;
      for (int64_t i = first; i < n && i < first + piece; ++i) {
        if (rows.ignored(i)) continue;
        const int64_t target = rows.target(i);
        part -= rows.weight(target) * rows.value(i, target);
        part_weights += rows.weight(target);
      }
      sum += part;
      weights += part_weights;
    }
    *output.mutable_data_ptr<scalar_t>() = static_cast<scalar_t>(mean ? sum / weights : sum);
    *total_weight.mutable_data_ptr<scalar_t>() = static_cast<scalar_t>(weights);
  });
}

void nll_backward(const NllLoss& loss, const TensorBase& grad, const TensorBase& total_weight,
                  const TensorBase& grad_input) {
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kHalf, kBFloat16, loss.self.scalar_type(), "nll_loss_backward_out_frame", [&] {
        const Rows<scalar_t> rows(loss);
        using Acc = opmath_type<scalar_t>;
        const auto* grads = grad.const_data_ptr<scalar_t>();
        const int64_t grad_stride = grad.dim() == 0 ? 0 : grad.strides()[0];
        const Acc total =
            total_weight.defined() ? static_cast<Acc>(*total_weight.const_data_ptr<scalar_t>()) : Acc(1);
        auto* out = grad_input.mutable_data_ptr<scalar_t>();
        const int64_t classes = grad_input.sizes()[1];
        at::parallel_for(0, loss.target.numel(), at::internal::GRAIN_SIZE, [&](int64_t first, int64_t last) {
          for (int64_t i = first; i < last; ++i) {
            if (rows.ignored(i)) continue;
            const int64_t target = rows.target(i);
            const Acc scaled = static_cast<Acc>(grads[i * grad_stride]) / total;
            out[i * classes + target] = static_cast<scalar_t>(-rows.weight(target) * scaled);
          }
        });
      });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(nll_each_stub, &nll_each)
REGISTER_ALL_CPU_DISPATCH(nll_total_stub, &nll_total)
REGISTER_ALL_CPU_DISPATCH(nll_backward_stub, &nll_backward)

}  // namespace at::native
