// The functions of cuBLASLt that the library loads, by plain loops: products with a bias, then relu or gelu,
// of Float, Half and BFloat16. All arguments are checked; the algorithm must be the one that was chosen for
// them.
#include <cuda_runtime.h>
#include <library_types.h>

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace {

constexpr int success = 0, invalid_value = 7, not_supported = 15;
constexpr int compute_32f = 68, compute_32f_fast_tf32 = 77;
constexpr uint32_t epilogue_bias = 4, epilogue_relu_bias = 6, epilogue_gelu_bias = 36;
constexpr uint64_t workspace_bytes = 512;
constexpr uint64_t algorithm_mark = 0x616c676f;

struct Matmul {
  int compute;
  int32_t op_a = 0, op_b = 0;
  uint32_t epilogue = 1;
  const void* bias = nullptr;
};
struct Layout {
  cudaDataType type;
  uint64_t rows, columns;
  int64_t ld;
};
struct Preference {
  uint64_t workspace = 0;
  uint32_t alignments[4] = {256, 256, 256, 256};
};
struct Algorithm {
  uint64_t mark, workspace;
  uint32_t alignments[4];
  uint64_t others[4];
};
struct Choice {
  Algorithm algorithm;
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
};
static_assert(sizeof(Algorithm) == 64 && sizeof(Choice) == 96);

struct Product {
  Matmul how;
  Layout a, b, d;
  const void *left, *right;
  void* result;
  float alpha;
  void* workspace;
};

template <class T>
T read(const Layout& layout, const void* data, int32_t op, uint64_t row, uint64_t column) {
  const uint64_t at = op == 0 ? row + column * layout.ld : column + row * layout.ld;
  return static_cast<const T*>(data)[at];
}
template <class T>
void check_columns(const Layout& layout, const void* data, bool writes) {
  for (uint64_t j = 0; j < layout.columns; ++j) {
    emulator::check_range(static_cast<const T*>(data) + j * layout.ld, layout.rows * sizeof(T), writes);
  }
}
// TF32 has 10 bits of mantissa.
float rounded(float x, int compute) {
  if (compute != compute_32f_fast_tf32 || !std::isfinite(x)) return x;
  const auto bits = std::bit_cast<uint32_t>(x);
  return std::bit_cast<float>((bits + 0xfff + (bits >> 13 & 1)) & ~uint32_t{0x1fff});
}

float activated(float x, uint32_t epilogue) {
  if (epilogue == epilogue_relu_bias) return x < 0.0f ? 0.0f : x;
  if (epilogue != epilogue_gelu_bias) return x;
  constexpr float root = 0.7978845608f;  // sqrt(2 / pi)
  return 0.5f * x * (1.0f + std::tanh(root * (x + 0.044715f * x * x * x)));
}

template <class T>
void multiply(const Product& p) {
  check_columns<T>(p.a, p.left, false);
  check_columns<T>(p.b, p.right, false);
  check_columns<T>(p.d, p.result, true);
  emulator::check_range(p.how.bias, p.d.rows * sizeof(T), false);
  emulator::check_range(p.workspace, workspace_bytes, true);
  std::memset(p.workspace, 0xa5, workspace_bytes);
  const uint64_t k = p.how.op_a == 0 ? p.a.columns : p.a.rows;
  for (uint64_t j = 0; j < p.d.columns; ++j) {
    for (uint64_t i = 0; i < p.d.rows; ++i) {
      float sum = 0.0f;
      for (uint64_t l = 0; l < k; ++l) {
        sum += rounded(read<T>(p.a, p.left, p.how.op_a, i, l), p.how.compute) *
               rounded(read<T>(p.b, p.right, p.how.op_b, l, j), p.how.compute);
      }
      const float bias = static_cast<const T*>(p.how.bias)[i];
      static_cast<T*>(p.result)[i + j * p.d.ld] =
          static_cast<T>(activated(p.alpha * sum + bias, p.how.epilogue));
    }
  }
}

// The sizes of an operand after its operation are these.
bool has_sizes(const Layout& layout, int32_t op, uint64_t rows, uint64_t columns) {
  return op == 0 ? layout.rows == rows && layout.columns == columns
                 : layout.rows == columns && layout.columns == rows;
}
bool has_bias(const Matmul& how) {
  const uint32_t e = how.epilogue;
  return how.bias != nullptr && (e == epilogue_bias || e == epilogue_relu_bias || e == epilogue_gelu_bias);
}
int check(const Matmul& how, const Layout& a, const Layout& b, const Layout& c, const Layout& d) {
  const uint64_t k = how.op_a == 0 ? a.columns : a.rows;
  const bool same = c.type == d.type && c.rows == d.rows && c.columns == d.columns && c.ld == d.ld;
  if (!same || !has_sizes(a, how.op_a, d.rows, k) || !has_sizes(b, how.op_b, k, d.columns)) {
    return invalid_value;
  }
  for (const Layout* one : {&a, &b, &d}) {
    if (one->rows == 0 || one->columns == 0 || one->ld < static_cast<int64_t>(one->rows)) {
      return invalid_value;
    }
  }
  if (a.type != d.type || b.type != d.type || !has_bias(how)) return not_supported;
  const bool is_known = d.type == CUDA_R_32F || d.type == CUDA_R_16F || d.type == CUDA_R_16BF;
  return is_known && (how.compute == compute_32f || d.type == CUDA_R_32F) ? success : not_supported;
}

template <class T>
int set(T& attribute, const void* value, size_t bytes) {
  if (value == nullptr || bytes != sizeof(T)) return invalid_value;
  std::memcpy(&attribute, value, bytes);
  return success;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int cublasLtCreate(void** handle) {
  static int any;
  *handle = &any;
  return success;
}
int cublasLtMatmulDescCreate(Matmul** made, int compute, cudaDataType scale) {
  if (scale != CUDA_R_32F || (compute != compute_32f && compute != compute_32f_fast_tf32)) {
    return invalid_value;
  }
  *made = new Matmul{compute};
  return success;
}
int cublasLtMatmulDescDestroy(Matmul* matmul) { return delete matmul, success; }
int cublasLtMatmulDescSetAttribute(Matmul* matmul, int attribute, const void* value, size_t bytes) {
  switch (attribute) {
    case 3:
      return set(matmul->op_a, value, bytes);
    case 4:
      return set(matmul->op_b, value, bytes);
    case 7:
      return set(matmul->epilogue, value, bytes);
    case 8:
      return set(matmul->bias, value, bytes);
  }
  return invalid_value;
}
int cublasLtMatrixLayoutCreate(Layout** made, cudaDataType type, uint64_t rows, uint64_t columns,
                               int64_t ld) {
  *made = new Layout{type, rows, columns, ld};
  return success;
}
int cublasLtMatrixLayoutDestroy(Layout* layout) { return delete layout, success; }
int cublasLtMatmulPreferenceCreate(Preference** made) { return *made = new Preference, success; }
int cublasLtMatmulPreferenceDestroy(Preference* preference) { return delete preference, success; }
int cublasLtMatmulPreferenceSetAttribute(Preference* preference, int attribute, const void* value,
                                         size_t bytes) {
  if (attribute == 1) return set(preference->workspace, value, bytes);
  if (attribute < 5 || attribute > 8) return invalid_value;
  return set(preference->alignments[attribute - 5], value, bytes);
}
int cublasLtMatmulAlgoGetHeuristic(void* handle, const Matmul* how, const Layout* a, const Layout* b,
                                   const Layout* c, const Layout* d, const Preference* preference, int most,
                                   Choice* choices, int* found) {
  if (handle == nullptr || most < 1) return invalid_value;
  *found = 0;
  // What is invalid is chosen for: the library multiplies otherwise when nothing can be, and an error is
  // seen.
  if (check(*how, *a, *b, *c, *d) == not_supported || preference->workspace < workspace_bytes) {
    return not_supported;
  }
  *found = 1;
  *choices = {{algorithm_mark, workspace_bytes}, workspace_bytes, success};
  std::memcpy(choices->algorithm.alignments, preference->alignments, sizeof(preference->alignments));
  return success;
}
int cublasLtMatmul(void* handle, const Matmul* how, const float* alpha, const void* left, const Layout* a,
                   const void* right, const Layout* b, const float* beta, const void* added, const Layout* c,
                   void* result, const Layout* d, const Algorithm* algorithm, void* workspace, size_t bytes,
                   cudaStream_t stream) {
  if (handle == nullptr || *beta != 0.0f || algorithm->mark != algorithm_mark) return invalid_value;
  if (workspace == nullptr || bytes < algorithm->workspace) return invalid_value;
  const void* pointers[] = {left, right, added, result};
  for (int i = 0; i < 4; ++i) {
    if (reinterpret_cast<uintptr_t>(pointers[i]) % algorithm->alignments[i] != 0) return invalid_value;
  }
  if (const int status = check(*how, *a, *b, *c, *d); status != success) return status;
  const Product product{*how, *a, *b, *d, left, right, result, *alpha, workspace};
  emulator::count_operation("library");
  emulator::enqueue(stream, [product] {
    if (product.d.type == CUDA_R_32F) return multiply<float>(product);
    if (product.d.type == CUDA_R_16F) return multiply<c10::Half>(product);
    multiply<c10::BFloat16>(product);
  });
  return success;
}
}
#pragma GCC visibility pop
