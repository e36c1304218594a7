// One element of a fused step, as loops on the CPU and kernels on devices compute it. Conditions are
// std::true_type or std::false_type where each has a loop of its own, and bool elsewhere.
#pragma once

#include <ATen/native/optimizer/stubs.h>
#include <c10/macros/Macros.h>

#include <cmath>
#include <cstdint>

namespace at::native::optimizer {
inline namespace CPU_CAPABILITY {

// ---- coefficients that depend on the number of steps (StepItems::Item::by_step)

C10_HOST_DEVICE inline void adam_by_step(const AdamSettings& s, double lr, double steps, double* by_step) {
  by_step[0] = lr / (1 - std::pow(s.beta1, steps));
  by_step[1] = std::sqrt(1 - std::pow(s.beta2, steps));
}

C10_HOST_DEVICE inline double adagrad_by_step(double lr, double lr_decay, double steps) {
  return lr / (1 + (steps - 1) * lr_decay);
}

// ---- Adam

template <class O>
struct Adam {
  O decay, weight_decay, sign, beta2, square_weight, eps, size, root;
  // A weighted sum from the nearer end.
  O weight;
  bool near;

  C10_HOST_DEVICE static Adam of(const AdamSettings& s, const double* by_step) {
    const auto grad_weight = static_cast<O>(1 - s.beta1);
    const bool near = std::abs(grad_weight) < O(0.5);
    return {static_cast<O>(s.decay),
            static_cast<O>(s.weight_decay),
            static_cast<O>(s.maximize ? -1 : 1),
            static_cast<O>(s.beta2),
            static_cast<O>(1 - s.beta2),
            static_cast<O>(s.eps),
            static_cast<O>(-by_step[0]),
            static_cast<O>(by_step[1]),
            near ? grad_weight : grad_weight - 1,
            near};
  }

  // `largest` is used with amsgrad.
  template <class Amsgrad, class Decays>
  C10_HOST_DEVICE void operator()(O& param, O grad, O& average, O& squares, O& largest, Amsgrad amsgrad,
                                  Decays decays) const {
    const O p = param * decay;
    O g = grad * sign;
    if (decays) {
      g += p * weight_decay;
    }
    const O a = (near ? average : g) + weight * (g - average);
    const O q = squares * beta2 + square_weight * g * g;
    average = a;
    squares = q;
    O most = q;
    if (amsgrad) {
      most = largest > q || largest != largest ? largest : q;
      largest = most;
    }
    param = p + size * a / (std::sqrt(most) / root + eps);
  }
};

// ---- SGD

enum class Momentum { None, First, Later };

inline Momentum momentum_of(const SgdSettings& s) {
  if (s.momentum == 0) return Momentum::None;
  return s.is_first_step ? Momentum::First : Momentum::Later;
}

template <class O>
struct Sgd {
  O lr, weight_decay, momentum, share, sign;

  C10_HOST_DEVICE static Sgd of(const SgdSettings& s) {
    return {static_cast<O>(s.lr), static_cast<O>(s.weight_decay), static_cast<O>(s.momentum),
            static_cast<O>(1 - s.dampening), static_cast<O>(s.maximize ? -1 : 1)};
  }

  // `buffer` is used unless there is no momentum; the first step doesn't read it.
  template <class Kind, class Nesterov, class Decays>
  C10_HOST_DEVICE void operator()(O& param, O grad, O& buffer, Kind kind, Nesterov nesterov,
                                  Decays decays) const {
    O g = grad * sign;
    if (decays) {
      g += param * weight_decay;
    }
    if (kind != Momentum::None) {
      const O m = kind == Momentum::First ? g : buffer * momentum + share * g;
      buffer = m;
      g = nesterov ? g + m * momentum : m;
    }
    param -= lr * g;
  }
};

// ---- Adagrad

template <class O>
struct Adagrad {
  O weight_decay, eps, sign, size;

  C10_HOST_DEVICE static Adagrad of(const AdagradSettings& s, double by_step) {
    return {static_cast<O>(s.weight_decay), static_cast<O>(s.eps), static_cast<O>(s.maximize ? -1 : 1),
            static_cast<O>(by_step)};
  }

  template <class Decays>
  C10_HOST_DEVICE void operator()(O& param, O grad, O& sum, Decays decays) const {
    O g = grad * sign;
    if (decays) {
      g += param * weight_decay;
    }
    const O total = sum + g * g;
    sum = total;
    param -= size * g / (std::sqrt(total) + eps);
  }
};

// ---- gradients in mixed precision

template <class O>
C10_HOST_DEVICE bool is_finite(O value) {
  return value - value == 0;
}

// The scale of losses after a step.
struct ScaleUpdate {
  double growth_factor, backoff_factor;
  int64_t growth_interval;

  C10_HOST_DEVICE void operator()(float& scale, int& successes, float found_inf) const {
    if (found_inf != 0) {
      scale = static_cast<float>(scale * backoff_factor);
      successes = 0;
    } else if (successes + 1 == growth_interval) {
      const auto grown = static_cast<float>(scale * growth_factor);
      scale = is_finite(grown) ? grown : scale;
      successes = 0;
    } else {
      successes++;
    }
  }
};

}  // namespace CPU_CAPABILITY
}  // namespace at::native::optimizer
