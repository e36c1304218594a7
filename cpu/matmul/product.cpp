// Products of matrices on the CPU: a call of the gemm kernel, which takes any strides.
#include <ATen/native/matmul/product.h>

#include <ATen/native/cpu/matmul/gemm.h>

namespace at::native {

namespace {

// The last two dimensions of t as a matrix, an earlier one (if any) as the batch.
GemmMatrix as_matrix(const TensorBase& t) {
  const int64_t dim = t.dim();
  return {t.const_data_ptr(), dim > 2 ? t.stride(0) : 0, t.stride(dim - 2), t.stride(dim - 1)};
}

void product(const TensorBase& result, const TensorBase& left, const TensorBase& right, const Scalar& beta,
             const Scalar& alpha) {
  const int64_t dim = result.dim();
  gemm_stub(kCPU, result.scalar_type(),
            GemmProblem{dim > 2 ? result.size(0) : 1, left.size(dim - 2), right.size(dim - 1),
                        left.size(dim - 1), as_matrix(left), as_matrix(right), result.mutable_data_ptr(),
                        dim > 2 ? result.stride(0) : 0, result.stride(dim - 2), result.stride(dim - 1), alpha,
                        beta});
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(product_stub, &product)

}  // namespace at::native
