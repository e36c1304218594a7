// Fused steps of optimizers. Gradients and momenta are computed in PyTorch's order of operations.
#include <ATen/native/cpu/optimizer/steps.h>
#include <ATen/native/optimizer/arithmetic.h>

#include <atomic>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// f(std::true_type()) or f(std::false_type()): conditions outside of loops.
template <class F>
void with_condition(bool condition, const F& f) {
  condition ? f(std::true_type()) : f(std::false_type());
}

// ---- Adam

template <class O, bool amsgrad, bool decays>
void adam_step(const optimizer::Adam<O> step, O* const* data, int64_t n) {
  O* const param = data[0];
  const O* const grad = data[1];
  O *const average = data[2], *const squares = data[3], *const largest = amsgrad ? data[4] : nullptr;
  O unused = 0;
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    step(param[i], grad[i], average[i], squares[i], amsgrad ? largest[i] : unused,
         std::bool_constant<amsgrad>(), std::bool_constant<decays>());
  }
}

void fused_adam(const StepItems& all, const AdamSettings& settings) {
  with_compute_type(all, [&]<class O>(O) {
    with_condition(settings.amsgrad, [&](auto amsgrad) {
      with_condition(settings.weight_decay != 0, [&](auto decays) {
        run_steps<O>(all, [&](const StepItems::Item& item, O* const* data, int64_t n) {
          adam_step<O, amsgrad.value, decays.value>(optimizer::Adam<O>::of(settings, item.by_step), data, n);
        });
      });
    });
  });
}

// ---- SGD

using optimizer::Momentum;

template <class O, Momentum kind, bool nesterov, bool decays>
void sgd_step(const optimizer::Sgd<O> step, O* const* data, int64_t n) {
  O* const param = data[0];
  const O* const grad = data[1];
  O* const buffer = kind == Momentum::None ? nullptr : data[2];
  O unused = 0;
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    step(param[i], grad[i], kind == Momentum::None ? unused : buffer[i],
         std::integral_constant<Momentum, kind>(), std::bool_constant<nesterov>(),
         std::bool_constant<decays>());
  }
}

template <Momentum kind, class O>
void sgd_steps(const StepItems& all, const SgdSettings& settings) {
  const auto step = optimizer::Sgd<O>::of(settings);
  with_condition(settings.weight_decay != 0, [&](auto decays) {
    with_condition(kind != Momentum::None && settings.nesterov, [&](auto nesterov) {
      run_steps<O>(all, [&](const StepItems::Item&, O* const* data, int64_t n) {
        sgd_step<O, kind, nesterov.value, decays.value>(step, data, n);
      });
    });
  });
}

void fused_sgd(const StepItems& all, const SgdSettings& settings) {
  with_compute_type(all, [&]<class O>(O) {
    switch (optimizer::momentum_of(settings)) {
      case Momentum::None:
        return sgd_steps<Momentum::None, O>(all, settings);
      case Momentum::First:
        return sgd_steps<Momentum::First, O>(all, settings);
      case Momentum::Later:
        return sgd_steps<Momentum::Later, O>(all, settings);
    }
  });
}

// ---- Adagrad

template <class O, bool decays>
void adagrad_step(const optimizer::Adagrad<O> step, O* const* data, int64_t n) {
  O* const param = data[0];
  const O* const grad = data[1];
  O* const sums = data[2];
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    step(param[i], grad[i], sums[i], std::bool_constant<decays>());
  }
}

void fused_adagrad(const StepItems& all, const AdagradSettings& settings) {
  with_compute_type(all, [&]<class O>(O) {
    with_condition(settings.weight_decay != 0, [&](auto decays) {
      run_steps<O>(all, [&](const StepItems::Item& item, O* const* data, int64_t n) {
        adagrad_step<O, decays.value>(optimizer::Adagrad<O>::of(settings, item.by_step[0]), data, n);
      });
    });
  });
}

// ---- gradients

template <class O>
bool unscale(O* values, O inv_scale, int64_t n) {
  int finite = 1;
  for (int64_t i = 0; i < n; i++) {
    const O value = values[i];
    finite &= optimizer::is_finite(value);
    values[i] = value * inv_scale;
  }
  return finite != 0;
}

bool amp_unscale(const StepItems& all, double inv_scale) {
  std::atomic<bool> finite = true;
  with_compute_type(all, [&]<class O>(O) {
    run_steps<O>(all, [&](const StepItems::Item&, O* const* data, int64_t n) {
      if (!unscale(data[0], static_cast<O>(inv_scale), n)) {
        finite.store(false, std::memory_order_relaxed);
      }
    });
  });
  return finite;
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(fused_adam_stub, &fused_adam)
REGISTER_DISPATCH(fused_sgd_stub, &fused_sgd)
REGISTER_DISPATCH(fused_adagrad_stub, &fused_adagrad)
REGISTER_DISPATCH(amp_unscale_stub, &amp_unscale)

}  // namespace at::native
