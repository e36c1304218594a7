// Fused steps of Adam, AdamW, SGD and Adagrad on CUDA.
#include <ATen/native/cuda/optimizer/steps.h>

#include <ATen/Dispatch.h>
#include <ATen/native/optimizer/arithmetic.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/MultiTensor.cuh>

namespace at::native {
namespace fused_steps {

using namespace multi_tensor;

// What the first thread of a block finds for all of them.
template <class O, class Step>
struct Begun {
  Step step;
  O grad_scale;
  bool is_left_out;
};

// Op has `lists`, `reads`, and Step<O>, the arithmetic of an element:
//   Step<O> begin<O>(const void* count) const;    of an item; count: where its number of steps is
//   void run(const Step<O>&, O (&values)[lists]) const;
template <class T, class Op>
__global__ void __launch_bounds__(threads) step_kernel(const __grid_constant__ Items<Op::lists> items,
                                                       const __grid_constant__ Op op, StepScale scale) {
  using O = ufunc::opmath<T>;
  using Step = typename Op::template Step<O>;
  __shared__ Begun<O, Step> shared;
  const Chunk<T, Op::lists> chunk(items, blockIdx.x);
  if (threadIdx.x == 0) {
    shared.is_left_out = scale.found_inf.value() == 1;
    shared.grad_scale = static_cast<O>(scale.grad_scale.value());
    shared.step = op.template begin<O>(chunk.own);
  }
  __syncthreads();
  if (shared.is_left_out) return;
  const Step step = shared.step;
  const O grad_scale = shared.grad_scale;
  constexpr unsigned all = (1u << Op::lists) - 1, gradients = 2;
  for_each_element(chunk, op.reads, scale.divides ? all : all - gradients, [&](O(&values)[Op::lists]) {
    if (scale.divides) values[1] /= grad_scale;
    op.run(step, values);
  });
}

template <class Op>
void launch_steps(const DeviceSteps& steps, const Op& op) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const auto describe = [&](size_t i) {
    const StepItems::Item& from = steps.items.items[i];
    Item<Op::lists> item{{}, from.numel, steps.counts.empty() ? nullptr : steps.counts[i]};
    for (int k = 0; k < Op::lists; ++k) item.data[k] = from.data[k];
    return item;
  };
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, steps.items.dtype, "fused_step_cuda", [&] {
    in_launches<Op::lists>(steps.items.items.size(), describe, [&](const Items<Op::lists>& items) {
      step_kernel<scalar_t><<<items.blocks(), threads, 0, stream>>>(items, op, steps.scale);
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  });
}

__device__ inline double steps_at(const void* count) { return *static_cast<const float*>(count); }

template <bool amsgrad>
struct AdamOp {
  static constexpr int lists = amsgrad ? 5 : 4;
  static constexpr unsigned reads = (1u << lists) - 1;
  template <class O>
  using Step = optimizer::Adam<O>;

  AdamSettings settings;
  DeviceNumber lr;
  bool is_decoupled;

  template <class O>
  __device__ Step<O> begin(const void* count) const {
    AdamSettings s = settings;
    const double rate = lr.value();
    s.decay = is_decoupled ? 1 - rate * settings.weight_decay : 1;
    if (is_decoupled) s.weight_decay = 0;
    double by_step[2];
    optimizer::adam_by_step(s, rate, steps_at(count), by_step);
    return Step<O>::of(s, by_step);
  }
  template <class O>
  __device__ void run(const Step<O>& step, O (&values)[lists]) const {
    const bool decays = step.weight_decay != 0;
    O unused = 0;
    if constexpr (amsgrad) {
      step(values[0], values[1], values[2], values[3], values[4], true, decays);
    } else {
      step(values[0], values[1], values[2], values[3], unused, false, decays);
    }
  }
};

template <bool has_momentum>
struct SgdOp {
  static constexpr int lists = has_momentum ? 3 : 2;
  template <class O>
  using Step = optimizer::Sgd<O>;

  SgdSettings settings;
  DeviceNumber lr;
  optimizer::Momentum momentum;
  unsigned reads;  // the first step doesn't read its buffers, which may be empty

  template <class O>
  __device__ Step<O> begin(const void*) const {
    SgdSettings s = settings;
    s.lr = lr.value();
    return Step<O>::of(s);
  }
  template <class O>
  __device__ void run(const Step<O>& step, O (&values)[lists]) const {
    const bool decays = step.weight_decay != 0;
    O unused = 0;
    if constexpr (has_momentum) {
      step(values[0], values[1], values[2], momentum, settings.nesterov, decays);
    } else {
      step(values[0], values[1], unused, optimizer::Momentum::None, false, decays);
    }
  }
};

struct AdagradOp {
  static constexpr int lists = 3;
  static constexpr unsigned reads = (1u << lists) - 1;
  template <class O>
  using Step = optimizer::Adagrad<O>;

  AdagradSettings settings;
  DeviceNumber lr;
  double lr_decay;

  template <class O>
  __device__ Step<O> begin(const void* count) const {
    return Step<O>::of(settings, optimizer::adagrad_by_step(lr.value(), lr_decay, steps_at(count)));
  }
  template <class O>
  __device__ void run(const Step<O>& step, O (&values)[lists]) const {
    step(values[0], values[1], values[2], step.weight_decay != 0);
  }
};

}  // namespace fused_steps

using namespace fused_steps;

void fused_adam_on_device(const DeviceSteps& steps, const AdamSettings& settings, bool is_decoupled) {
  if (settings.amsgrad) {
    launch_steps(steps, AdamOp<true>{settings, steps.lr, is_decoupled});
  } else {
    launch_steps(steps, AdamOp<false>{settings, steps.lr, is_decoupled});
  }
}

void fused_sgd_on_device(const DeviceSteps& steps, const SgdSettings& settings) {
  using optimizer::Momentum;
  const Momentum momentum = optimizer::momentum_of(settings);
  if (momentum == Momentum::None) {
    launch_steps(steps, SgdOp<false>{settings, steps.lr, momentum, 0b11});
  } else {
    const unsigned reads = momentum == Momentum::First ? 0b11 : 0b111;
    launch_steps(steps, SgdOp<true>{settings, steps.lr, momentum, reads});
  }
}

void fused_adagrad_on_device(const DeviceSteps& steps, const AdagradSettings& settings, double lr_decay) {
  launch_steps(steps, AdagradOp{settings, steps.lr, lr_decay});
}

}  // namespace at::native
