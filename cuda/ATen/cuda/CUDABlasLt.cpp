// Products with what follows them, by cuBLASLt, which is loaded with cuBLAS.
#include <ATen/cuda/CUDABlas.h>
#include <ATen/cuda/CUDABlasLibrary.h>

#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <dlfcn.h>

#include <algorithm>

namespace at::inline C10_ABI::cuda::blas {

namespace {

using Handle = void*;
using Object = void*;  // a description of a product, a matrix or a preference
constexpr uint64_t most_workspace = uint64_t{4} << 20;
constexpr uintptr_t most_alignment = 256;

struct Library {
  Status (*create)(Handle*) = nullptr;
  Status (*matmul_create)(Object*, int, cudaDataType) = nullptr;
  Status (*matmul_destroy)(Object) = nullptr;
  Status (*matmul_set)(Object, int, const void*, size_t) = nullptr;
  Status (*layout_create)(Object*, cudaDataType, uint64_t, uint64_t, int64_t) = nullptr;
  Status (*layout_destroy)(Object) = nullptr;
  Status (*preference_create)(Object*) = nullptr;
  Status (*preference_destroy)(Object) = nullptr;
  Status (*preference_set)(Object, int, const void*, size_t) = nullptr;
  Status (*choose)(Handle, Object, Object, Object, Object, Object, Object, int, lt::Choice*, int*) = nullptr;
  Status (*matmul)(Handle, Object, const void*, const void*, Object, const void*, Object, const void*,
                   const void*, Object, void*, Object, const lt::Algorithm*, void*, size_t,
                   cudaStream_t) = nullptr;
  bool is_complete = true;
};

template <class F>
void find(Library& library, void* handle, const char* name, F& function) {
  function = handle == nullptr ? nullptr : reinterpret_cast<F>(::dlsym(handle, name));
  library.is_complete = library.is_complete && function != nullptr;
}

Library load() {
  Library l;
  void* handle = lt_library();
  find(l, handle, "cublasLtCreate", l.create);
  find(l, handle, "cublasLtMatmulDescCreate", l.matmul_create);
  find(l, handle, "cublasLtMatmulDescDestroy", l.matmul_destroy);
  find(l, handle, "cublasLtMatmulDescSetAttribute", l.matmul_set);
  find(l, handle, "cublasLtMatrixLayoutCreate", l.layout_create);
  find(l, handle, "cublasLtMatrixLayoutDestroy", l.layout_destroy);
  find(l, handle, "cublasLtMatmulPreferenceCreate", l.preference_create);
  find(l, handle, "cublasLtMatmulPreferenceDestroy", l.preference_destroy);
  find(l, handle, "cublasLtMatmulPreferenceSetAttribute", l.preference_set);
  find(l, handle, "cublasLtMatmulAlgoGetHeuristic", l.choose);
  find(l, handle, "cublasLtMatmul", l.matmul);
  return l;
}

const Library& library() {
  static const Library* instance = new Library(load());
  return *instance;
}

Handle current_handle() {
  thread_local Handle handles[c10::cuda::max_devices] = {};
  Handle& handle = handles[c10::cuda::current_device()];
  if (handle == nullptr) check(library().create(&handle), "cublasLtCreate");
  return handle;
}

// An object of cuBLASLt that is destroyed with it.
class Owned {
 public:
  explicit Owned(Status (*destroy)(Object)) : destroy_(destroy) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (object != nullptr) destroy_(object);
  }
  Object object = nullptr;

 private:
  Status (*destroy_)(Object);
};

struct Layout : Owned {
  Layout(cudaDataType type, int64_t rows, int64_t columns, int64_t ld) : Owned(library().layout_destroy) {
    check(library().layout_create(&object, type, static_cast<uint64_t>(rows), static_cast<uint64_t>(columns),
                                  ld),
          "cublasLtMatrixLayoutCreate");
  }
  // As it is in memory; rows and columns are those of the factor.
  Layout(cudaDataType type, const Matrix& matrix, int64_t rows, int64_t columns)
      : Layout(type, matrix.transposed ? columns : rows, matrix.transposed ? rows : columns, matrix.ld) {}
};

uint32_t epilogue_of(Activation activation) {
  switch (activation) {
    case Activation::Relu:
      return lt::epilogue_relu_bias;
    case Activation::Gelu:
      return lt::epilogue_gelu_bias;
    case Activation::None:
      break;
  }
  return lt::epilogue_bias;
}

struct Matmul : Owned {
  Matmul(const Types& types, const Matrix& a, const Matrix& b, const void* bias, Activation activation)
      : Owned(library().matmul_destroy) {
    check(library().matmul_create(&object, types.compute, CUDA_R_32F), "cublasLtMatmulDescCreate");
    set(lt::TransA, a.transposed ? Transpose : NoTranspose);
    set(lt::TransB, b.transposed ? Transpose : NoTranspose);
    set(lt::Epilogue, epilogue_of(activation));
    set(lt::BiasPointer, bias);
  }
  template <class T>
  void set(lt::MatmulAttribute attribute, const T& value) {
    check(library().matmul_set(object, attribute, &value, sizeof(value)), "cublasLtMatmulDescSetAttribute");
  }
};

uint32_t alignment_of(const void* p) {
  const auto address = reinterpret_cast<uintptr_t>(p);
  return static_cast<uint32_t>(std::min(address & (~address + 1), most_alignment));
}

struct Preference : Owned {
  Preference(const void* a, const void* b, const void* c) : Owned(library().preference_destroy) {
    check(library().preference_create(&object), "cublasLtMatmulPreferenceCreate");
    set(lt::MaxWorkspaceBytes, most_workspace);
    set(lt::MinAlignmentA, alignment_of(a));
    set(lt::MinAlignmentB, alignment_of(b));
    set(lt::MinAlignmentC, alignment_of(c));
    set(lt::MinAlignmentD, alignment_of(c));
  }
  template <class T>
  void set(lt::PreferenceAttribute attribute, const T& value) {
    check(library().preference_set(object, attribute, &value, sizeof(value)),
          "cublasLtMatmulPreferenceSetAttribute");
  }
};

}  // namespace

bool gemm_and_bias(c10::ScalarType dtype, int64_t m, int64_t n, int64_t k, float alpha, Matrix a, Matrix b,
                   const void* bias, Activation activation, void* c, int64_t ldc) {
  const Types types = types_of(dtype);
  if (types.compute == Compute64F || c10::isComplexType(dtype) || !library().is_complete) return false;
  const Matmul matmul(types, a, b, bias, activation);
  const Layout left(types.data, a, m, k), right(types.data, b, k, n), result(types.data, m, n, ldc);
  const Preference preference(a.data, b.data, c);
  lt::Choice choice{};
  int found = 0;
  const Status status = library().choose(current_handle(), matmul.object, left.object, right.object,
                                         result.object, result.object, preference.object, 1, &choice, &found);
  if (status != success || found == 0) return false;
  c10::DataPtr workspace;
  if (choice.workspace > 0) {
    workspace = c10::GetAllocator(c10::DeviceType::CUDA)->allocate(choice.workspace);
  }
  const float beta = 0.0f;
  check(library().matmul(current_handle(), matmul.object, &alpha, a.data, left.object, b.data, right.object,
                         &beta, c, result.object, c, result.object, &choice.algorithm, workspace.get(),
                         choice.workspace, c10::cuda::getCurrentCUDAStream()),
        "cublasLtMatmul");
  return true;
}

}  // namespace at::inline C10_ABI::cuda::blas
