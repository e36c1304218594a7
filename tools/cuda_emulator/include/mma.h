// nvcuda::wmma: tiles of 16 x 16 with float accumulators. Which numbers a lane holds is unspecified, as in
// CUDA, but the same in all accumulators.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <emulator/tiles.h>

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

template <class T>
constexpr ::emulator::Number number_of = ::emulator::Number::single;
template <>
inline constexpr ::emulator::Number number_of<__half> = ::emulator::Number::half;
template <>
inline constexpr ::emulator::Number number_of<__nv_bfloat16> = ::emulator::Number::bfloat16;

template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
  static_assert(m == 16 && n == 16 && k == 16, "the emulator has tiles of 16 x 16 x 16");
  static_assert(std::is_same_v<Use, accumulator> == std::is_same_v<T, float>,
                "the emulator has operands of 16 bits, and accumulators of floats");
  static_assert(std::is_same_v<Use, accumulator> == std::is_void_v<Layout>, "only operands have a layout");
  static constexpr int num_elements = ::emulator::numbers_per_lane;
  T x[num_elements];
};
template <class T>
using accumulators = fragment<accumulator, 16, 16, 16, T>;

template <class Use, class T, class Layout>
void fill_fragment(fragment<Use, 16, 16, 16, T, Layout>& f, const T& value) {
  for (T& x : f.x) x = value;
}

#define EMULATOR_CALLER __builtin_return_address(0)

template <class Use, class T, class Layout>
__attribute__((noinline)) void load_matrix_sync(fragment<Use, 16, 16, 16, T, Layout>& f, const T* p,
                                                unsigned ldm, EMULATOR_PLACE) {
  ::emulator::load_tile(f.x, number_of<T>,
                        {p, ldm, std::is_same_v<Layout, row_major>, std::is_same_v<Use, matrix_b>},
                        {file, line}, EMULATOR_CALLER);
}
template <class T>
__attribute__((noinline)) void load_matrix_sync(accumulators<T>& f, const T* p, unsigned ldm, layout_t layout,
                                                EMULATOR_PLACE) {
  ::emulator::load_tile(f.x, number_of<T>, {p, ldm, layout == mem_row_major, false}, {file, line},
                        EMULATOR_CALLER);
}
template <class T>
__attribute__((noinline)) void store_matrix_sync(T* p, const accumulators<T>& f, unsigned ldm,
                                                 layout_t layout, EMULATOR_PLACE) {
  ::emulator::store_tile(f.x, number_of<T>, {p, ldm, layout == mem_row_major, false}, {file, line},
                         EMULATOR_CALLER);
}
template <class T, class LayoutA, class LayoutB>
void mma_sync(accumulators<float>& d, const fragment<matrix_a, 16, 16, 16, T, LayoutA>& a,
              const fragment<matrix_b, 16, 16, 16, T, LayoutB>& b, const accumulators<float>& c,
              EMULATOR_PLACE) {
  ::emulator::multiply_tiles(d.x, a.x, b.x, c.x, number_of<T>, {file, line});
}

}  // namespace nvcuda::wmma
