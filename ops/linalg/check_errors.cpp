// The errors that LAPACK reports, a number for each matrix, as exceptions.
#include <ATen/core/Tensor.h>

#include <ATen/ops/_linalg_check_errors_native.h>
#include <ATen/ops/any.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/item.h>
#include <ATen/ops/to.h>

#include <string>
#include <string_view>

namespace at::native {

namespace {

bool concerns(std::string_view name, std::string_view word) { return name.find(word) != name.npos; }

// What a positive number means is decided by the routine that gave it.
std::string meaning(std::string_view name, int64_t info) {
  const std::string number = std::to_string(info);
  if (concerns(name, "inv")) {
    return "The diagonal element " + number +
           " is zero, the inversion could not be completed because the input matrix is singular.";
  }
  if (concerns(name, "solve")) return "The solver failed because the input matrix is singular.";
  if (concerns(name, "cholesky")) {
    return "The factorization could not be completed because the input is not positive-definite (the leading "
           "minor of order " +
           number + " is not positive-definite).";
  }
  if (concerns(name, "lu")) {
    return "U[" + number + "," + number +
           "] is zero and using it on lu_solve would result in a division by zero. If you still want to "
           "perform "
           "the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)";
  }
  if (concerns(name, "ldl")) {
    return "D[" + number + "," + number +
           "] is zero: the factors cannot be used to solve (error code: " + number + ").";
  }
  if (concerns(name, "lstsq")) {
    return "The least squares solution could not be computed because the input matrix does not have full "
           "rank "
           "(error code: " +
           number + ").";
  }
  const char* repeated = concerns(name, "svd") ? "singular values" : "eigenvalues";
  return "The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
         "repeated " +
         std::string(repeated) + " (error code: " + number + ").";
}

void check_one(std::string_view name, const std::string& which, int64_t info) {
  TORCH_CHECK(info >= 0, name, ": ", which, "Argument ", -info, " has an illegal value.");
  TORCH_CHECK_LINALG(info == 0, name, ": ", which, meaning(name, info));
}

}  // namespace

void _linalg_check_errors(const Tensor& info, std::string_view api_name, bool is_matrix) {
  TORCH_CHECK(isIntegralType(info.scalar_type(), /*includeBool=*/false), api_name,
              ": expected info to have integers, but got ", info.scalar_type());
  if (info.is_meta() || info.numel() == 0 || !info.any().item<bool>()) return;
  if (is_matrix) return check_one(api_name, "", info.item<int64_t>());
  const Tensor all = info.to(kCPU, kLong).contiguous();
  const int64_t* const infos = all.const_data_ptr<int64_t>();
  for (int64_t i = 0; i < all.numel(); ++i) {
    if (infos[i] != 0) check_one(api_name, "(Batch element " + std::to_string(i) + "): ", infos[i]);
  }
}

}  // namespace at::native
