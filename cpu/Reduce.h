// Reductions on the CPU. A Fold defines the operation: how the elements of a row are reduced to one state,
// how whole rows are reduced to one state per column, how states are merged and become output. run_fold()
// walks the iteration in memory order: by rows along contiguous reduced dimensions, by columns across
// contiguous kept dimensions. How a row is split into chunks does not depend on the number of threads, so
// results do not, either. binary_kernel_reduce() takes the operation structs of kernels written for ATen.
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/native/cpu/Loops.h>

namespace at::native {

struct Fold {
  // Storage for the state of one row.
  struct alignas(16) State {
    char bytes[32];
  };
  // Copies n elements, `stride` bytes apart, to consecutive elements of the compute type.
  using Load = void (*)(void* to, const char* from, int64_t n, int64_t stride);

  int64_t state_size;  // bytes per column
  // Initialises the states of `columns` columns, or of a row for columns == 0.
  void (*init)(const Fold&, void* state, int64_t columns);
  // first_index: how many elements of the same output came before.
  void (*add_row)(const Fold&, void* state, const char* in, int64_t n, int64_t stride, int64_t first_index);
  void (*add_columns)(const Fold&, void* states, const char* in, int64_t columns, int64_t rows,
                      int64_t row_stride, int64_t first_index);
  // Optional: dense rows of at most `longest_short_row` elements, `row_stride` bytes apart; their states are
  // those of columns.
  void (*add_short_rows)(const Fold&, void* states, const char* in, int64_t rows, int64_t row_stride,
                         int64_t n) = nullptr;
  int64_t longest_short_row = 0;
  // Merges row states: `later` is of elements after those of `state`.
  void (*merge)(const Fold&, void* state, const void* later);
  // Writes the outputs of `columns` neighbouring columns. The states may be overwritten.
  void (*finish)(const Fold&, char* out, int64_t out_stride, void* states, int64_t columns);

  // The arguments of the functions above.
  Load load = nullptr;  // null: elements are used in place
  void (*store)(const Fold&, char* out, int64_t out_stride, const void* values, int64_t n) = nullptr;
  int64_t element_size = 0;  // of the input, in bytes
  double count = 1;          // elements per output
  double correction = 0;
  bool take_sqrt = false;
};

double elements_per_output(const TensorIteratorBase& iter);

// Runs a reduction of one input and one output. An output without elements to reduce is left unchanged.
void run_fold(const TensorIteratorBase& iter, const Fold& fold);

inline namespace CPU_CAPABILITY {

// ops: reduce(acc, value, index) -> acc, project(acc) -> output; the input's type is that of reduce's second
// parameter. Threads share the outputs.
template <class Ops, class Init>
void binary_kernel_reduce(TensorIteratorBase& iter, Ops ops, Init init) {
  using Reduce = inner_loop::Signature<decltype(&Ops::reduce)>;
  using Data = std::tuple_element_t<1, typename Reduce::Arguments>;
  iter.foreach_reduced_elt([&](TensorIteratorBase& element) {
    Init acc = init;
    int64_t index = 0;
    element.serial_for_each(
        [&](char** data, const int64_t* strides, int64_t n) {
          for (int64_t i = 0; i < n; i++) {
            const Data value =
                inner_loop::load_element(reinterpret_cast<const Data*>(data[1] + i * strides[1]));
            acc = ops.reduce(acc, value, index++);
          }
        },
        {0, element.numel()});
    const auto result = ops.project(acc);
    *static_cast<std::remove_const_t<decltype(result)>*>(element.data_ptr(0)) = result;
  });
}

// op: (acc, value) -> acc of one type, with the identity `ident`; the second function is ignored (see
// cpu_kernel_vec).
template <class F, class VectorF, class T>
void binary_kernel_reduce_vec(TensorIteratorBase& iter, F op, VectorF&&, T ident) {
  using Data = std::tuple_element_t<1, typename inner_loop::Signature<F>::Arguments>;
  iter.foreach_reduced_elt([&](TensorIteratorBase& element) {
    auto acc = static_cast<Data>(ident);
    element.serial_for_each(
        [&](char** data, const int64_t* strides, int64_t n) {
          for (int64_t i = 0; i < n; i++) {
            acc = op(acc, inner_loop::load_element(reinterpret_cast<const Data*>(data[1] + i * strides[1])));
          }
        },
        {0, element.numel()});
    *static_cast<Data*>(element.data_ptr(0)) = acc;
  });
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
