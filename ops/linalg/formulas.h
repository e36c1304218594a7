// Derivatives of factorizations and solvers.
#pragma once

#include <ATen/native/formulas.h>

#include <array>
#include <string_view>
#include <tuple>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API Tensor cholesky_backward(const Tensor& grad, bool upper, const Tensor& L);
TORCH_API Tensor cholesky_jvp(const Tensor& dA, const Tensor& L, bool upper);
/// The requested gradients of the right side and of the factor; `X` is the solution.
TORCH_API std::tuple<Tensor, Tensor> cholesky_solve_backward(const Tensor& grad, const Tensor& factor,
                                                             const Tensor& X, bool upper,
                                                             std::array<bool, 2> wanted);
TORCH_API Tensor cholesky_solve_jvp(const Tensor& X, const Tensor& factor, const Tensor& dfactor,
                                    const Tensor& dB, bool upper);
TORCH_API Tensor cholesky_inverse_backward(const Tensor& grad, const Tensor& factor, bool upper,
                                           const Tensor& inverse);
TORCH_API Tensor cholesky_inverse_jvp(const Tensor& factor, const Tensor& dfactor, const Tensor& inverse,
                                      bool upper);

/// The requested gradients of the matrix and of the right side; `X` is the solution.
TORCH_API std::tuple<Tensor, Tensor> solve_triangular_backward(const Tensor& grad, const Tensor& A,
                                                               const Tensor& X, bool upper, bool left,
                                                               bool unitriangular,
                                                               std::array<bool, 2> wanted);
TORCH_API Tensor solve_triangular_jvp(const Tensor& dA, const Tensor& dB, const Tensor& A, const Tensor& X,
                                      bool upper, bool left, bool unitriangular);
/// The requested gradients of the right side and of the matrix, whose copy has a gradient, too.
TORCH_API std::tuple<Tensor, Tensor> triangular_solve_backward(const Tensor& grad, const Tensor& grad_copy,
                                                               const Tensor& A, const Tensor& X, bool upper,
                                                               bool transpose, bool unitriangular,
                                                               std::array<bool, 2> wanted);
TORCH_API Tensor triangular_solve_jvp(const Tensor& X, const Tensor& A, const Tensor& dA, const Tensor& dB,
                                      bool upper, bool transpose, bool unitriangular);

TORCH_API Tensor inverse_backward(const Tensor& grad, const Tensor& inverse);
TORCH_API Tensor inverse_jvp(const Tensor& dA, const Tensor& inverse);
TORCH_API std::tuple<Tensor, Tensor> solve_backward(const Tensor& grad, const Tensor& X, const Tensor& A,
                                                    const Tensor& LU, const Tensor& pivots, bool left,
                                                    std::array<bool, 2> wanted);
TORCH_API Tensor solve_jvp(const Tensor& dA, const Tensor& dB, const Tensor& X, const Tensor& LU,
                           const Tensor& pivots, bool left);

TORCH_API Tensor det_backward(const Tensor& grad, const Tensor& det, const Tensor& A, const Tensor& LU,
                              const Tensor& pivots);
TORCH_API Tensor det_jvp(const Tensor& dA, const Tensor& det, const Tensor& LU, const Tensor& pivots,
                         bool transposed);
TORCH_API Tensor slogdet_backward(const Tensor& grad_sign, const Tensor& grad_log, const Tensor& A,
                                  const Tensor& sign, const Tensor& LU, const Tensor& pivots);
TORCH_API std::tuple<Tensor, Tensor> slogdet_jvp(const Tensor& LU, const Tensor& pivots, const Tensor& dA,
                                                 const Tensor& sign, bool transposed);

TORCH_API Tensor linalg_lu_backward(const Tensor& grad_L, const Tensor& grad_U, const Tensor& P,
                                    const Tensor& L, const Tensor& U, bool pivot);
TORCH_API std::tuple<Tensor, Tensor> linalg_lu_jvp(const Tensor& dA, const Tensor& P, const Tensor& L,
                                                   const Tensor& U, bool pivot);
TORCH_API Tensor lu_factor_backward(const Tensor& grad, const Tensor& LU, const Tensor& pivots, bool pivot);
TORCH_API Tensor lu_factor_jvp(const Tensor& dA, const Tensor& LU, const Tensor& pivots, bool pivot);
TORCH_API Tensor lu_unpack_backward(const Tensor& grad_L, const Tensor& grad_U, const SymInt& rows,
                                    const SymInt& columns);
/// The tangents of both factors, from that of the matrix that holds them.
TORCH_API Tensor lower_factor(const Tensor& LU);
TORCH_API Tensor upper_factor(const Tensor& LU);
TORCH_API Tensor lu_solve_backward(const Tensor& grad, const Tensor& LU, const Tensor& pivots,
                                   const Tensor& X, bool left, bool adjoint);
TORCH_API Tensor lu_solve_jvp(const Tensor& X, const Tensor& LU, const Tensor& pivots, const Tensor& dLU,
                              const Tensor& dB, bool left, bool adjoint);

TORCH_API Tensor qr_backward(const Tensor& grad_Q, const Tensor& grad_R, const Tensor& Q, const Tensor& R,
                             std::string_view mode);
TORCH_API std::tuple<Tensor, Tensor> qr_jvp(const Tensor& dA, const Tensor& Q, const Tensor& R,
                                            std::string_view mode);
TORCH_API std::tuple<Tensor, Tensor> householder_product_backward(const Tensor& grad, const Tensor& input,
                                                                  const Tensor& tau);
TORCH_API Tensor householder_product_jvp(const Tensor& dinput, const Tensor& dtau, const Tensor& input,
                                         const Tensor& tau);
/// The requested gradients of the reflectors, of their factors and of what they are applied to.
TORCH_API std::tuple<Tensor, Tensor, Tensor> ormqr_backward(const Tensor& grad, const Tensor& input,
                                                            const Tensor& tau, const Tensor& other, bool left,
                                                            bool transpose, std::array<bool, 3> wanted);

/// The requested gradients of the matrix and of the right side.
TORCH_API std::tuple<Tensor, Tensor> lstsq_backward(const Tensor& grad, const Tensor& grad_residuals,
                                                    const Tensor& A, const Tensor& B, const Tensor& X,
                                                    std::array<bool, 2> wanted);
TORCH_API Tensor lstsq_solution_jvp(const Tensor& A, const Tensor& B, const Tensor& dA, const Tensor& dB);
TORCH_API Tensor lstsq_residuals_jvp(const Tensor& A, const Tensor& B, const Tensor& dA, const Tensor& dB,
                                     const Tensor& X, const Tensor& residuals);

/// By the leading vectors only, U of the columns and Vh of the rows that belong to singular values.
TORCH_API Tensor svd_backward(const Tensor& grad_U, const Tensor& grad_S, const Tensor& grad_Vh,
                              const Tensor& U, const Tensor& S, const Tensor& Vh);
/// The vectors beyond the singular values stay as they are.
TORCH_API std::tuple<Tensor, Tensor, Tensor> linalg_svd_jvp(const Tensor& dA, const Tensor& U,
                                                            const Tensor& S, const Tensor& Vh,
                                                            bool full_matrices);
TORCH_API Tensor linalg_eig_backward(const Tensor& grad_L, const Tensor& grad_V, const Tensor& L,
                                     const Tensor& V, bool is_hermitian);
TORCH_API std::tuple<Tensor, Tensor> linalg_eig_jvp(const Tensor& dA, const Tensor& L, const Tensor& V,
                                                    bool is_hermitian);
TORCH_API Tensor pinv_backward(const Tensor& grad, const Tensor& pinv, const Tensor& A);
TORCH_API Tensor pinv_jvp(const Tensor& A, const Tensor& pinv, const Tensor& dA);
TORCH_API Tensor linalg_matrix_exp_differential(const Tensor& self, const Tensor& grad, bool adjoint);

}  // namespace torch::inline C10_ABI::autograd::generated::details
