// Elementwise loops on the CPU: cpu_kernel(iter, f) stores f(inputs...) for every element of an iteration.
// The compiler vectorises `f` once it is inlined, so write it without branches. There is one loop per
// function, over contiguous operands; strided, converted and broadcast operands go through a buffer, a block
// at a time, by code that all functions share (LoopDriver.h). Included by files compiled once per CPU
// capability, hence the inline namespace.
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/native/cpu/LoopDriver.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#ifndef CPU_CAPABILITY
#define CPU_CAPABILITY DEFAULT
#endif

namespace at::native {
inline namespace CPU_CAPABILITY {

// Cheap functions gain from a second thread only above about twice this many elements.
constexpr int64_t cpu_kernel_grain_size = 2 * at::internal::GRAIN_SIZE;

// A vector register of this capability with elements of type A; arithmetic and ?: work lane by lane.
#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX2__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif
template <class A>
struct Register {
  using type [[gnu::vector_size(register_bytes)]] = A;
};

// A function with a second form on vector registers, whose argument and result are both of type A; loops use
// that.
template <class F, class OnRegister>
struct WithRegisters : F {
  OnRegister on_register;
};

// A function whose loop has a variant with one scalar operand.
template <class F>
struct WithScalars : F {};

namespace inner_loop {

template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Result = R;
  using Arguments = std::tuple<std::remove_cvref_t<A>...>;
  static constexpr int arity = sizeof...(A);
};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...)> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> : Signature<R (*)(A...)> {};

// Bytes of a bool tensor from outside may be other than 0 and 1.
template <class T>
C10_ALWAYS_INLINE T load_element(const T* p) {
  if constexpr (std::is_same_v<T, bool>) {
    return *reinterpret_cast<const unsigned char*>(p) != 0;
  } else {
    return *p;
  }
}

// The output may be one of the inputs: no iteration depends on another.
template <class F, class R, class... A>
C10_ALWAYS_INLINE void apply(F f, int64_t n, R* out, const A*... in) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    out[i] = f(load_element(in + i)...);
  }
}

// By registers, two at a time to hide latency. The tail is padded to a register, so that a result does not
// depend on its element's position.
template <class F, class OnRegister, class A>
C10_ALWAYS_INLINE void apply(WithRegisters<F, OnRegister> f, int64_t n, A* out, const A* in) {
  using V = typename Register<A>::type;
  constexpr int64_t width = sizeof(V) / sizeof(A);
  int64_t i = 0;
  for (; i + 2 * width <= n; i += 2 * width) {
    V a, b;
    std::memcpy(&a, in + i, sizeof(a));
    std::memcpy(&b, in + i + width, sizeof(b));
    a = f.on_register(a);
    b = f.on_register(b);
    std::memcpy(out + i, &a, sizeof(a));
    std::memcpy(out + i + width, &b, sizeof(b));
  }
  for (; i < n; i += width) {
    V v{};
    const size_t bytes = std::min(width, n - i) * sizeof(A);
    std::memcpy(&v, in + i, bytes);
    v = f.on_register(v);
    std::memcpy(out + i, &v, bytes);
  }
}

template <class F>
inline constexpr bool has_scalars = false;
template <class F>
inline constexpr bool has_scalars<WithScalars<F>> = true;

template <class F, class Indices = std::make_index_sequence<Signature<F>::arity>>
struct InnerLoop;

template <class F, size_t... I>
struct InnerLoop<F, std::index_sequence<I...>> {
  using R = typename Signature<F>::Result;
  template <size_t i>
  using Arg = std::tuple_element_t<i, typename Signature<F>::Arguments>;
  static constexpr int num_operands = sizeof...(I) + 1;
  static_assert(num_operands <= loops::max_operands,
                "a function of so many operands needs a loop of its own");

  // The operands in the function's own types.
  static constexpr loops::Operand operands[num_operands] = {loops::operand<R>, loops::operand<Arg<I>>...};

  static void run_contiguous(const void* f, char* const* data, int64_t n) {
    apply(*static_cast<const F*>(f), n, reinterpret_cast<R*>(data[0]),
          reinterpret_cast<const Arg<I>*>(data[I + 1])...);
  }

  // With operand `operand`, 1 or 2, a scalar.
  template <class A>
  static void run_with_scalar(const void* function, char* const* data, int64_t n, int operand) {
    const F f = *static_cast<const F*>(function);
    const auto out = reinterpret_cast<R*>(data[0]);
    const auto first = reinterpret_cast<const A*>(data[1]), second = reinterpret_cast<const A*>(data[2]);
    if (operand == 1) {
      apply([f, value = *first](A other) C10_ALWAYS_INLINE_ATTRIBUTE { return f(value, other); }, n, out,
            second);
    } else {
      apply([f, value = *second](A self) C10_ALWAYS_INLINE_ATTRIBUTE { return f(self, value); }, n, out,
            first);
    }
  }

  // The driver's description of it; `f` and `operands` must outlive it.
  static loops::Loop of(const F& f, const loops::Operand* operands) {
    loops::Loop loop{&run_contiguous, &f, operands, num_operands};
    if constexpr (has_scalars<F>) {
      loop.run_with_scalar = &run_with_scalar<Arg<0>>;
    }
    return loop;
  }

  // Sequentially, with a function that may have state.
  static void run_in_order(F& f, char* const* data, const int64_t* strides, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
      *reinterpret_cast<R*>(data[0] + i * strides[0]) =
          f(load_element(reinterpret_cast<const Arg<I>*>(data[I + 1] + i * strides[I + 1]))...);
    }
  }

  // One element on TensorIterator's fast path.
  static C10_ALWAYS_INLINE void run_one(const F& f, const TensorIteratorBase::FastPath& plan) {
    const auto out = reinterpret_cast<R*>(plan.data(0));
    if constexpr (requires { f.on_register; }) {
      apply(f, 1, out, reinterpret_cast<const R*>(plan.data(1)));
    } else {
      *out = f(load_element(reinterpret_cast<const Arg<I>*>(plan.data(static_cast<int>(I) + 1)))...);
    }
  }
};

}  // namespace inner_loop

// f: (inputs...) -> output, of exactly the iteration's dtypes.
template <class F>
void cpu_kernel(TensorIteratorBase& iter, const F& f, int64_t grain_size = cpu_kernel_grain_size) {
  using Inner = inner_loop::InnerLoop<F>;
  TORCH_INTERNAL_ASSERT_DEBUG_ONLY(iter.ntensors() == Inner::num_operands && iter.noutputs() == 1);
  if constexpr (Inner::num_operands == 2 || Inner::num_operands == 3) {
    if (iter.is_fast_path() && iter.fast_path().numel == 1) {
      Inner::run_one(f, iter.fast_path());
      return;
    }
  }
  loops::run(iter, Inner::of(f, Inner::operands), grain_size);
}

// ATen's form with a second function on vectors, which is ignored: the compiler vectorises the first.
template <class F, class VectorF>
void cpu_kernel_vec(TensorIteratorBase& iter, const F& f, const VectorF&,
                    int64_t grain_size = cpu_kernel_grain_size) {
  cpu_kernel(iter, f, grain_size);
}

// f: (inputs..., scalars...) -> output; the scalars are the same for all elements. They are arguments rather
// than captures of f because conditions on a captured value keep gcc 12 from vectorising.
template <class F, class... Scalars>
void cpu_kernel_with_scalars(TensorIteratorBase& iter, const F& f, const Scalars&... scalars) {
  using Inner = inner_loop::InnerLoop<F>;
  const void* const values[] = {&scalars...};
  loops::run(iter,
             {&Inner::run_contiguous, &f, Inner::operands, Inner::num_operands, values, sizeof...(Scalars)},
             cpu_kernel_grain_size);
}

// f: (O inputs..., scalars...) -> O, on tensors of T, whatever its compute type O (float for the 16-bit
// floats): one loop for all dtypes with the same compute type.
template <class T, class F, class... Scalars>
void cpu_kernel_computed(TensorIteratorBase& iter, const F& f, const Scalars&... scalars) {
  using Inner = inner_loop::InnerLoop<F>;
  using O = typename Inner::R;
  constexpr int num_tensors = Inner::num_operands - static_cast<int>(sizeof...(Scalars));
  if constexpr (std::is_same_v<T, O>) {
    if constexpr (sizeof...(Scalars) == 0) {
      cpu_kernel(iter, f);
    } else {
      cpu_kernel_with_scalars(iter, f, scalars...);
    }
  } else {
    loops::Operand operands[Inner::num_operands];
    for (int k = 0; k < Inner::num_operands; k++) {
      operands[k] = k == 0            ? loops::converted_output<O>(c10::CppTypeToScalarType<T>::value)
                    : k < num_tensors ? loops::converted_input<O>(c10::CppTypeToScalarType<T>::value)
                                      : Inner::operands[k];
    }
    const void* const values[sizeof...(Scalars) + 1] = {&scalars...};
    loops::run(iter, {&Inner::run_contiguous, &f, operands, Inner::num_operands, values, sizeof...(Scalars)},
               cpu_kernel_grain_size);
  }
}

// Sequentially, on one thread, for functions with state.
template <class F>
void cpu_serial_kernel(TensorIteratorBase& iter, F&& f) {
  using Inner = inner_loop::InnerLoop<std::remove_cvref_t<F>>;
  iter.serial_for_each(
      [&f](char** data, const int64_t* strides, int64_t size0, int64_t size1) {
        char* at[Inner::num_operands];
        for (int64_t j = 0; j < size1; j++) {
          for (int k = 0; k < Inner::num_operands; k++) {
            at[k] = data[k] + j * strides[Inner::num_operands + k];
          }
          Inner::run_in_order(f, at, strides, size0);
        }
      },
      {0, iter.numel()});
  iter.cast_outputs();
}

namespace inner_loop {

// Several outputs: f returns a tuple. Outputs come first among the operands.
template <class F, class Result, class Arguments>
struct TupleLoop;

template <class F, class... R, class... A>
struct TupleLoop<F, std::tuple<R...>, std::tuple<A...>> {
  static constexpr int num_operands = sizeof...(R) + sizeof...(A);

  template <size_t... O, size_t... I>
  static void run(const F& f, char* const* data, const int64_t* strides, int64_t n, std::index_sequence<O...>,
                  std::index_sequence<I...>) {
    for (int64_t i = 0; i < n; i++) {
      const std::tuple<R...> results = f(load_element(
          reinterpret_cast<const A*>(data[sizeof...(R) + I] + i * strides[sizeof...(R) + I]))...);
      ((*reinterpret_cast<R*>(data[O] + i * strides[O]) = std::get<O>(results)), ...);
    }
  }
};

}  // namespace inner_loop

template <class F>
void cpu_kernel_multiple_outputs(TensorIteratorBase& iter, const F& f,
                                 int64_t grain_size = cpu_kernel_grain_size) {
  using Signature = inner_loop::Signature<std::remove_cvref_t<F>>;
  using Result = typename Signature::Result;
  using Loop = inner_loop::TupleLoop<F, Result, typename Signature::Arguments>;
  TORCH_INTERNAL_ASSERT_DEBUG_ONLY(iter.ntensors() == Loop::num_operands);
  iter.for_each(
      [&f](char** data, const int64_t* strides, int64_t n) {
        Loop::run(f, data, strides, n, std::make_index_sequence<std::tuple_size_v<Result>>{},
                  std::make_index_sequence<Signature::arity>{});
      },
      grain_size);
  iter.cast_outputs();
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
