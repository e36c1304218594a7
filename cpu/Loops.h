// Elementwise loops on the CPU: cpu_kernel(iter, f) stores f(inputs...) for every element of an iteration.
// The compiler vectorises `f` once it is inlined, so write it without branches. There is one loop per
// function, over contiguous operands; an operand with other strides, or one value for all, goes through a
// buffer, a block at a time. Included by files compiled once per CPU capability, hence the inline namespace.
#pragma once

#include <ATen/TensorIterator.h>

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

// As many values of A as a register of this capability holds; arithmetic and ?: work lane by lane.
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

namespace loops {

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

// Bytes of a bool tensor that came from elsewhere may be other than 0 and 1.
template <class T>
C10_ALWAYS_INLINE T load_element(const T* p) {
  if constexpr (std::is_same_v<T, bool>) {
    return *reinterpret_cast<const unsigned char*>(p) != 0;
  } else {
    return *p;
  }
}

// How many elements go through buffers at a time.
constexpr int64_t block_size = 256;

template <class T>
C10_NOINLINE void gather(T* to, const char* from, int64_t stride, int64_t n) {
  if (stride == 0) {
    const T value = *reinterpret_cast<const T*>(from);
    for (int64_t i = 0; i < n; i++) {
      to[i] = value;
    }
  } else {
    for (int64_t i = 0; i < n; i++) {
      to[i] = *reinterpret_cast<const T*>(from + i * stride);
    }
  }
}

template <class T>
C10_NOINLINE void scatter(char* to, int64_t stride, const T* from, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    *reinterpret_cast<T*>(to + i * stride) = from[i];
  }
}

// A block of any type, uninitialised.
template <class T>
struct Buffer {
  Buffer() {}
  alignas(64) char bytes[block_size * sizeof(T)];
  T* get() { return reinterpret_cast<T*>(bytes); }
};

// The output may be an input, element for element: no iteration depends on another.
template <class F, class R, class... A>
C10_ALWAYS_INLINE void apply(F f, int64_t n, R* out, const A*... in) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    out[i] = f(load_element(in + i)...);
  }
}

template <class F, class Indices = std::make_index_sequence<Signature<F>::arity>>
struct InnerLoop;

template <class F, size_t... I>
struct InnerLoop<F, std::index_sequence<I...>> {
  using R = typename Signature<F>::Result;
  template <size_t i>
  using Arg = std::tuple_element_t<i, typename Signature<F>::Arguments>;
  static constexpr int num_operands = sizeof...(I) + 1;

  static bool is_contiguous(const int64_t* strides) {
    return (strides[0] == sizeof(R)) && (... && (strides[I + 1] == sizeof(Arg<I>)));
  }

  static C10_NOINLINE void run_contiguous(const F& f, char* const* data, int64_t n) {
    apply(f, n, reinterpret_cast<R*>(data[0]), reinterpret_cast<const Arg<I>*>(data[I + 1])...);
  }

  // The block of operand i that begins at element `first`: where it is, or in `buffer`.
  template <size_t i>
  static char* input_block(Arg<i>* buffer, char* const* data, const int64_t* strides, int64_t first,
                           int64_t n, int64_t previous) {
    const int64_t stride = strides[i + 1];
    if (stride == sizeof(Arg<i>)) {
      return data[i + 1] + first * stride;
    }
    // One value for all fills the buffer once.
    if (stride != 0 || previous < n) {
      gather(buffer, data[i + 1] + first * stride, stride, n);
    }
    return reinterpret_cast<char*>(buffer);
  }

  static C10_NOINLINE void run_strided(const F& f, char* const* data, const int64_t* strides, int64_t n) {
    std::tuple<Buffer<Arg<I>>...> inputs;
    Buffer<R> output;
    const bool direct = strides[0] == sizeof(R);
    [[maybe_unused]] int64_t previous = 0;
    for (int64_t first = 0; first < n; first += block_size) {
      const int64_t count = n - first < block_size ? n - first : block_size;
      char* to = data[0] + first * strides[0];
      char* const block[num_operands] = {
          direct ? to : reinterpret_cast<char*>(output.get()),
          input_block<I>(std::get<I>(inputs).get(), data, strides, first, count, previous)...};
      run_contiguous(f, block, count);
      if (!direct) {
        scatter(to, strides[0], output.get(), count);
      }
      previous = count;
    }
  }

  // In order, with a function that may change itself.
  static void run_in_order(F& f, char* const* data, const int64_t* strides, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
      *reinterpret_cast<R*>(data[0] + i * strides[0]) =
          f(load_element(reinterpret_cast<const Arg<I>*>(data[I + 1] + i * strides[I + 1]))...);
    }
  }

  static void run(const F& f, char* const* data, const int64_t* strides, int64_t n) {
    if (is_contiguous(strides)) {
      run_contiguous(f, data, n);
    } else {
      run_strided(f, data, strides, n);
    }
  }

  static void run_rows(const F& f, char* const* base, const int64_t* strides, const int64_t* steps, int64_t n,
                       int64_t rows) {
    char* data[num_operands];
    for (int k = 0; k < num_operands; k++) {
      data[k] = base[k];
    }
    for (int64_t j = 0; j < rows; j++) {
      run(f, data, strides, n);
      for (int k = 0; k < num_operands; k++) {
        data[k] += steps[k];
      }
    }
  }

  static void run_2d(const F& f, char** base, const int64_t* strides, int64_t size0, int64_t size1) {
    const int64_t* outer = strides + num_operands;
    if (size0 >= 16 || size1 <= 2 * size0) {
      run_rows(f, base, strides, outer, size0, size1);
      return;
    }
    // Many short rows: go along the columns, in stretches that stay in the cache.
    constexpr int64_t stretch = 4 * block_size;
    for (int64_t first = 0; first < size1; first += stretch) {
      char* data[num_operands];
      for (int k = 0; k < num_operands; k++) {
        data[k] = base[k] + first * outer[k];
      }
      run_rows(f, data, outer, strides, size1 - first < stretch ? size1 - first : stretch, size0);
    }
  }

  // One element of an iteration in its short form.
  static C10_ALWAYS_INLINE void run_one(const F& f, const TensorIteratorBase::Lean& plan) {
    *reinterpret_cast<R*>(plan.data(0)) =
        f(load_element(reinterpret_cast<const Arg<I>*>(plan.data(static_cast<int>(I) + 1)))...);
  }

  // A small iteration in its short form.
  static void run_lean(const F& f, const TensorIteratorBase::Lean& plan) {
    char* const data[num_operands] = {plan.data(0), plan.data(static_cast<int>(I) + 1)...};
    if (!plan.last_is_number) {
      run_contiguous(f, data, plan.numel);
    } else {
      const int64_t strides[num_operands] = {sizeof(R),
                                             (I + 1 == sizeof...(I) ? 0 : int64_t{sizeof(Arg<I>)})...};
      run_strided(f, data, strides, plan.numel);
    }
  }

  // A small iteration of one dimension, without a detour through pointers to functions.
  static void run_1d(const F& f, const TensorIteratorBase& iter, int64_t n) {
    char* const data[num_operands] = {static_cast<char*>(iter.data_ptr(0)),
                                      static_cast<char*>(iter.data_ptr(I + 1))...};
    if (n == 1) {
      *reinterpret_cast<R*>(data[0]) = f(load_element(reinterpret_cast<const Arg<I>*>(data[I + 1]))...);
      return;
    }
    const int64_t strides[num_operands] = {iter.strides(0)[0], iter.strides(I + 1)[0]...};
    run(f, data, strides, n);
  }
};

}  // namespace loops

namespace loops {
// All but a single element. Not inlined: a call for one element should not pay for the registers of a loop.
template <class F>
C10_NOINLINE void run_many(TensorIteratorBase& iter, const F& f, int64_t grain_size) {
  using Loop = InnerLoop<F>;
  const int64_t n = iter.numel();
  if constexpr (Loop::num_operands == 2 || Loop::num_operands == 3) {
    if (C10_LIKELY(iter.is_lean() && n < grain_size)) {
      if (n > 0) {
        Loop::run_lean(f, iter.lean());
      }
      return;
    }
  }
  if (iter.is_trivial_1d() && n < grain_size) {
    if (n > 0) {
      Loop::run_1d(f, iter, n);
    }
  } else {
    iter.for_each([f](char** data, const int64_t* strides, int64_t size0,
                      int64_t size1) { Loop::run_2d(f, data, strides, size0, size1); },
                  grain_size);
  }
  iter.cast_outputs();
}
}  // namespace loops

// f: (inputs...) -> output, of exactly the dtypes that the iteration has.
template <class F>
void cpu_kernel(TensorIteratorBase& iter, F&& f, int64_t grain_size = cpu_kernel_grain_size) {
  using Loop = loops::InnerLoop<std::remove_cvref_t<F>>;
  TORCH_INTERNAL_ASSERT_DEBUG_ONLY(iter.ntensors() == Loop::num_operands && iter.noutputs() == 1);
  if constexpr (Loop::num_operands == 2 || Loop::num_operands == 3) {
    if (iter.is_lean() && iter.lean().numel == 1) {
      Loop::run_one(f, iter.lean());
      return;
    }
  }
  loops::run_many(iter, f, grain_size);
}

// As written for ATen, with a second function on vectors. It is not needed here: the compiler makes it of the
// first.
template <class F, class VectorF>
void cpu_kernel_vec(TensorIteratorBase& iter, F&& f, VectorF&&, int64_t grain_size = cpu_kernel_grain_size) {
  cpu_kernel(iter, std::forward<F>(f), grain_size);
}

// f: (inputs..., numbers...) -> output, the numbers being the same for all elements. As arguments rather than
// captures of f they are operands like others: conditions on a captured value keep gcc 12 from vectorising.
template <class F, class... Numbers>
void cpu_kernel_with_numbers(TensorIteratorBase& iter, const F& f, const Numbers&... numbers) {
  using Loop = loops::InnerLoop<F>;
  constexpr int given = Loop::num_operands - static_cast<int>(sizeof...(Numbers));
  TORCH_INTERNAL_ASSERT_DEBUG_ONLY(iter.ntensors() == given && iter.noutputs() == 1);
  const void* const values[] = {&numbers...};
  iter.for_each(
      [&f, &values](char** data, const int64_t* strides, int64_t size0, int64_t size1) {
        char* all[Loop::num_operands];
        int64_t all_strides[2 * Loop::num_operands] = {};
        for (int k = 0; k < given; k++) {
          all[k] = data[k];
          all_strides[k] = strides[k];
          all_strides[Loop::num_operands + k] = strides[given + k];
        }
        for (int k = given; k < Loop::num_operands; k++) {
          all[k] = static_cast<char*>(const_cast<void*>(values[k - given]));
        }
        Loop::run_2d(f, all, all_strides, size0, size1);
      },
      cpu_kernel_grain_size);
  iter.cast_outputs();
}

// In order and by one thread, for functions with a state.
template <class F>
void cpu_serial_kernel(TensorIteratorBase& iter, F&& f) {
  using Loop = loops::InnerLoop<std::remove_cvref_t<F>>;
  iter.serial_for_each(
      [&f](char** data, const int64_t* strides, int64_t size0, int64_t size1) {
        char* at[Loop::num_operands];
        for (int64_t j = 0; j < size1; j++) {
          for (int k = 0; k < Loop::num_operands; k++) {
            at[k] = data[k] + j * strides[Loop::num_operands + k];
          }
          Loop::run_in_order(f, at, strides, size0);
        }
      },
      {0, iter.numel()});
  iter.cast_outputs();
}

namespace loops {

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

}  // namespace loops

template <class F>
void cpu_kernel_multiple_outputs(TensorIteratorBase& iter, const F& f,
                                 int64_t grain_size = cpu_kernel_grain_size) {
  using Signature = loops::Signature<std::remove_cvref_t<F>>;
  using Result = typename Signature::Result;
  using Loop = loops::TupleLoop<F, Result, typename Signature::Arguments>;
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
