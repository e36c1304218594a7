// Finds cuBLAS and calls it. The few functions and constants in use are declared here, with cuBLAS's ABI
// since version 11, so that its headers aren't needed.
#include <ATen/cuda/CUDABlas.h>
#include <ATen/cuda/CUDABlasLibrary.h>

#include <ATen/Context.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/complex.h>

#include <dlfcn.h>

#include <cstdlib>
#include <limits>
#include <string>

namespace at::inline C10_ABI::cuda::blas {

namespace {

using Handle = void*;
constexpr int default_algorithm = -1;

struct Library {
  Status (*create)(Handle*) = nullptr;
  Status (*set_stream)(Handle, cudaStream_t) = nullptr;
  Status (*gemm_strided_batched)(Handle, int, int, int, int, int, const void*, const void*, cudaDataType, int,
                                 long long, const void*, cudaDataType, int, long long, const void*, void*,
                                 cudaDataType, int, long long, int, int, int) = nullptr;
  void* lt = nullptr;
  std::string tried;
};

// The folder of this library ends in "/".
std::string own_folder() {
  static const char anchor = 0;
  Dl_info info;
  if (::dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr) return {};
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

void* open_in(const std::string& folder, Library& library) {
  for (const char* version : {"13", "12"}) {
    const std::string suffix = std::string(".so.") + version;
    // Loaded first, as the system would not look for it in that folder.
    library.lt = ::dlopen((folder + "libcublasLt" + suffix).c_str(), RTLD_NOW | RTLD_GLOBAL);
    const std::string path = folder + "libcublas" + suffix;
    if (void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
    library.tried += "\n  " + path;
  }
  return nullptr;
}

// In this order: the folder that ATEN_CUBLAS_PATH names, the packages nvidia-cublas and nvidia-cublas-cu12
// beside the Python package that this library lies in, the system's own search, and the toolkit.
void* open_library(Library& library) {
  if (const char* given = std::getenv("ATEN_CUBLAS_PATH"); given != nullptr && *given != '\0') {
    if (void* handle = open_in(std::string(given) + "/", library)) return handle;
  }
  const std::string packages = own_folder() + "../../nvidia/";
  for (const std::string& folder : {packages + "cu13/lib/", packages + "cublas/lib/", std::string(),
                                    std::string("/usr/local/cuda/lib64/")}) {
    if (void* handle = open_in(folder, library)) return handle;
  }
  return nullptr;
}

Library load() {
  Library library;
  void* handle = open_library(library);
  if (handle == nullptr) return library;
  library.create = reinterpret_cast<decltype(library.create)>(::dlsym(handle, "cublasCreate_v2"));
  library.set_stream = reinterpret_cast<decltype(library.set_stream)>(::dlsym(handle, "cublasSetStream_v2"));
  library.gemm_strided_batched =
      reinterpret_cast<decltype(library.gemm_strided_batched)>(::dlsym(handle, "cublasGemmStridedBatchedEx"));
  return library;
}

const Library& library() {
  static const Library* instance = new Library(load());
  TORCH_CHECK(instance->create != nullptr && instance->set_stream != nullptr &&
                  instance->gemm_strided_batched != nullptr,
              "matrix products on CUDA need cuBLAS, which was not found. Install it with `pip install "
              "nvidia-cublas`, "
              "or name its folder in ATEN_CUBLAS_PATH. Tried:",
              instance->tried);
  return *instance;
}

}  // namespace

void check(Status status, const char* call) {
  TORCH_CHECK(status == success, "cuBLAS error ", status, " from ", call);
}

void* lt_library() { return library().lt; }

Types types_of(c10::ScalarType dtype) {
  const ComputeType compute_float = at::globalContext().allowTF32CuBLAS() ? Compute32FFastTF32 : Compute32F;
  switch (dtype) {
    case c10::ScalarType::Half:
      return {CUDA_R_16F, Compute32F};
    case c10::ScalarType::BFloat16:
      return {CUDA_R_16BF, Compute32F};
    case c10::ScalarType::Float:
      return {CUDA_R_32F, compute_float};
    case c10::ScalarType::Double:
      return {CUDA_R_64F, Compute64F};
    case c10::ScalarType::ComplexFloat:
      return {CUDA_C_32F, compute_float};
    case c10::ScalarType::ComplexDouble:
      return {CUDA_C_64F, Compute64F};
    default:
      TORCH_CHECK_NOT_IMPLEMENTED(false, "matrix products on CUDA are not implemented for dtype ", dtype);
  }
  __builtin_unreachable();
}

namespace {

// A handle may be used by one thread at a time; it belongs to the device that was current when it was made.
Handle current_handle() {
  thread_local Handle handles[c10::cuda::max_devices] = {};
  Handle& handle = handles[c10::cuda::current_device()];
  if (handle == nullptr) check(library().create(&handle), "cublasCreate");
  check(library().set_stream(handle, c10::cuda::getCurrentCUDAStream()), "cublasSetStream");
  return handle;
}

// alpha or beta in cuBLAS's compute type.
struct Factor {
  alignas(16) char bytes[16];

  Factor(const c10::Scalar& value, c10::ScalarType dtype) {
    if (dtype == c10::ScalarType::Double) {
      *reinterpret_cast<double*>(bytes) = value.to<double>();
    } else if (dtype == c10::ScalarType::ComplexFloat) {
      *reinterpret_cast<c10::complex<float>*>(bytes) = value.to<c10::complex<float>>();
    } else if (dtype == c10::ScalarType::ComplexDouble) {
      *reinterpret_cast<c10::complex<double>*>(bytes) = value.to<c10::complex<double>>();
    } else {
      *reinterpret_cast<float*>(bytes) = value.to<float>();
    }
  }
};

int narrow(int64_t n, const char* what) {
  TORCH_CHECK(n <= std::numeric_limits<int>::max(), "matrix products on CUDA take sizes below 2^31, got ",
              what, " = ", n);
  return static_cast<int>(n);
}

}  // namespace

void gemm(c10::ScalarType dtype, int64_t m, int64_t n, int64_t k, int64_t batch, const c10::Scalar& alpha,
          Matrix a, Matrix b, const c10::Scalar& beta, void* c, int64_t ldc, int64_t c_batch_stride) {
  const Types types = types_of(dtype);
  const Factor alpha_value(alpha, dtype), beta_value(beta, dtype);
  check(library().gemm_strided_batched(
            current_handle(), a.transposed ? Transpose : NoTranspose, b.transposed ? Transpose : NoTranspose,
            narrow(m, "m"), narrow(n, "n"), narrow(k, "k"), alpha_value.bytes, a.data, types.data,
            narrow(a.ld, "the distance of columns"), a.batch_stride, b.data, types.data,
            narrow(b.ld, "the distance of columns"), b.batch_stride, beta_value.bytes, c, types.data,
            narrow(ldc, "the distance of columns"), c_batch_stride, narrow(batch, "the batch"), types.compute,
            default_algorithm),
        "cublasGemmStridedBatchedEx");
}

}  // namespace at::inline C10_ABI::cuda::blas
