// What the formulas of schemas/derivatives.yaml call besides operators: gradients that are more than one
// expression. All of it is made of operators, so it can be differentiated in its turn.
//
// An undefined gradient stands for zeros. Gradients may still have the shape of a broadcast result: autograd
// sums them to their input's.
#pragma once

#include <ATen/TensorGeometry.h>
#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>
#include <c10/util/OptionalArrayRef.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace torch::inline C10_ABI::autograd::generated::details {

using at::IntArrayRef;
using at::OptionalIntArrayRef;
using at::Scalar;
using at::ScalarType;
using at::Tensor;
using at::TensorGeometry;
using at::TensorList;
using c10::SymInt;
using c10::SymIntArrayRef;

// -------------------- What formulas save of lists

TORCH_API std::vector<std::vector<SymInt>> to_args_sizes_symint(const at::ITensorListRef& tensors);
TORCH_API std::vector<ScalarType> to_args_scalartypes(const at::ITensorListRef& tensors);

// -------------------- Element types and factors

/// Throws at backward: the formula is not known.
[[noreturn]] TORCH_API Tensor not_implemented(const char* name, const char* reason = "");

TORCH_API Tensor real_part(const Tensor& t);
/// The gradient of an input of type `self_st`: of a complex gradient a real input has the real part.
inline Tensor handle_r_to_c(ScalarType self_st, Tensor gradient) {
  if (gradient.is_complex() && !c10::isComplexType(self_st)) return real_part(gradient);
  return gradient;
}
inline Tensor handle_r_to_c(const Tensor& self, Tensor gradient) {
  return handle_r_to_c(self.scalar_type(), std::move(gradient));
}
/// The conjugate; a real tensor is its own, without a call.
TORCH_API Tensor conjugated(const Tensor& t);
inline Tensor maybe_conj(Tensor t) {
  if (t.is_complex()) return conjugated(t);
  return t;
}
/// t * s, which for 1 and -1 takes no multiplication.
TORCH_API Tensor maybe_multiply(const Tensor& t, const Scalar& s);
/// 1 - s
TORCH_API Scalar one_minus(const Scalar& s);
/// The gradient of a copy to another type or device.
TORCH_API Tensor _to_copy_backward(const Tensor& grad, const c10::TensorOptions& self_options);

// -------------------- Arithmetic

TORCH_API Tensor mul_tensor_backward(const Tensor& grad, const Tensor& other, ScalarType self_st);
TORCH_API Tensor mul_tensor_backward(const Tensor& grad, const Scalar& other, ScalarType self_st);
/// With a rounding mode the quotient is constant almost everywhere.
TORCH_API Tensor div_tensor_self_backward(const Tensor& grad, const Tensor& other, ScalarType self_st);
TORCH_API Tensor div_tensor_self_backward(const Tensor& grad, const Scalar& other, ScalarType self_st);
TORCH_API Tensor div_tensor_self_backward(const Tensor& grad, const Tensor& other, ScalarType self_st,
                                          const std::optional<std::string_view>& rounding_mode);
TORCH_API Tensor div_tensor_self_backward(const Tensor& grad, const Scalar& other, ScalarType self_st,
                                          const std::optional<std::string_view>& rounding_mode);
TORCH_API Tensor div_tensor_other_backward(const Tensor& grad, const Tensor& self, const Tensor& other);
TORCH_API Tensor div_tensor_other_backward(const Tensor& grad, const Tensor& self, const Tensor& other,
                                           const std::optional<std::string_view>& rounding_mode);
TORCH_API Tensor div_jvp(const Tensor& self_t, const Tensor& other_p, const Tensor& other_t,
                         const Tensor& result);
/// self - other * floor(self / other), for a number `self`.
TORCH_API Tensor remainder_other_backward(const Tensor& grad, const Scalar& self, const Tensor& other);

TORCH_API Tensor pow_backward(const Tensor& grad, const Tensor& self, const Scalar& exponent);
TORCH_API Tensor pow_backward_self(const Tensor& grad, const Tensor& self, const Tensor& exponent);
TORCH_API Tensor pow_backward_exponent(const Tensor& grad, const Tensor& self, const Tensor& exponent,
                                       const Tensor& result);
TORCH_API Tensor pow_backward_exponent(const Tensor& grad, const Scalar& base, const Tensor& exponent,
                                       const Tensor& result);

TORCH_API Tensor pow_jvp(const Tensor& self_p, const Tensor& self_t, const Scalar& exponent,
                         ScalarType result_st);
TORCH_API Tensor pow_jvp(const Scalar& base, const Tensor& exponent_p, const Tensor& exponent_t,
                         const Tensor& result);
TORCH_API Tensor pow_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& exponent_p,
                         const Tensor& exponent_t, const Tensor& result);

TORCH_API Tensor sgn_backward(const Tensor& self, const Tensor& grad, const Tensor& sgn);
/// Of the larger or smaller of two: all of it where this one wins, half where they tie.
TORCH_API Tensor winner_backward(const Tensor& grad, const Tensor& loses, const Tensor& ties);
TORCH_API Tensor winner_jvp(const Tensor& self_t, const Tensor& other_t, const Tensor& wins,
                            const Tensor& ties);

TORCH_API Tensor clamp_backward(const Tensor& grad, const Tensor& self, const std::optional<Scalar>& min,
                                const std::optional<Scalar>& max);
TORCH_API Tensor clamp_backward(const Tensor& grad, const Tensor& self, const Tensor& min, const Tensor& max);
TORCH_API std::tuple<Tensor, Tensor> clamp_backward_min_max(const Tensor& grad, const Tensor& self,
                                                            const Tensor& min, const Tensor& max,
                                                            std::array<bool, 2> wanted);
TORCH_API Tensor clamp_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& min_p,
                           const Tensor& min_t, const Tensor& max_p, const Tensor& max_t);

TORCH_API Tensor angle_backward(const Tensor& grad, const Tensor& self);
TORCH_API std::tuple<Tensor, Tensor> atan2_backward(const Tensor& grad, const Tensor& self,
                                                    const Tensor& other, std::array<bool, 2> wanted);
TORCH_API Tensor copysign_tensor_self_backward(const Tensor& grad, const Tensor& self, const Tensor& result);
TORCH_API Tensor sinc_backward(const Tensor& grad, const Tensor& self);
TORCH_API Tensor logit_double_backward(const Tensor& grad, const Tensor& self, std::optional<double> eps);

/// What dropout multiplies by where it keeps an element; it trains unless it is told not to.
inline double dropout_scale(double p, std::optional<bool> train) {
  if (!train.value_or(true)) return 1.0;
  return p == 1.0 ? 0.0 : 1.0 / (1.0 - p);
}

// -------------------- Second derivatives of activations and losses: of (gradient of the gradient) *
// grad_output

TORCH_API Tensor gelu_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& self,
                                      std::string_view approximate);
TORCH_API Tensor silu_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& self);
TORCH_API Tensor softplus_double_backward(const Tensor& grad, const Tensor& self, const Scalar& beta,
                                          const Scalar& threshold);
TORCH_API Tensor log_sigmoid_double_backward(const Tensor& grad, const Tensor& self);
TORCH_API Tensor mish_double_backward(const Tensor& grad, const Tensor& self);
TORCH_API Tensor elu_double_backward(const Tensor& grad, const Tensor& grad_output, const Scalar& alpha,
                                     const Scalar& scale, const Scalar& input_scale, bool is_result,
                                     const Tensor& self_or_result);
/// The gradients of glu_backward with respect to both of its tensors.
TORCH_API Tensor glu_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& self,
                                     int64_t dim);
TORCH_API Tensor glu_double_backward_grad_output(const Tensor& grad, const Tensor& self, int64_t dim);

/// Of the first of the two that a loss compares, which broadcast.
TORCH_API Tensor mse_loss_self_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                        int64_t reduction);
/// `numel` is how many differences there are.
TORCH_API Tensor mse_loss_double_backward(const Tensor& grad, int64_t numel, int64_t reduction);
TORCH_API Tensor mse_loss_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& target_p,
                              const Tensor& target_t, int64_t reduction);

/// Of a loss that is reduced by its `reduction`.
TORCH_API Tensor loss_reduction(const Tensor& loss, int64_t reduction);

// Of the first of the two that a loss compares, which broadcast; and second derivatives, of (gradient of the
// gradient) * grad_output.
TORCH_API Tensor smooth_l1_loss_self_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                              int64_t reduction, double beta);
TORCH_API Tensor smooth_l1_loss_double_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                                int64_t reduction, double beta);
TORCH_API Tensor huber_loss_self_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                          int64_t reduction, double delta);
TORCH_API Tensor huber_loss_double_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                            int64_t reduction, double delta);
TORCH_API Tensor binary_cross_entropy_target_backward(const Tensor& grad, const Tensor& self,
                                                      const Tensor& target,
                                                      const std::optional<Tensor>& weight, int64_t reduction);
TORCH_API Tensor binary_cross_entropy_double_backward(const Tensor& grad, const Tensor& self,
                                                      const Tensor& target,
                                                      const std::optional<Tensor>& weight, int64_t reduction);
TORCH_API Tensor binary_cross_entropy_double_backward_target(const Tensor& grad, const Tensor& self,
                                                             const std::optional<Tensor>& weight,
                                                             int64_t reduction);
TORCH_API Tensor soft_margin_loss_double_backward(const Tensor& grad, const Tensor& self,
                                                  const Tensor& target, int64_t reduction);
TORCH_API Tensor soft_margin_loss_double_backward_grad_output(const Tensor& grad, const Tensor& grad_output,
                                                              const Tensor& self, const Tensor& target,
                                                              int64_t reduction);

/// Gradients of grad_output, weight and total_weight.
TORCH_API std::tuple<Tensor, Tensor, Tensor> nll_loss_double_backward(
    const Tensor& grad, const Tensor& grad_output, const Tensor& self, const Tensor& target,
    const Tensor& weight, int64_t reduction, const SymInt& ignore_index, const Tensor& total_weight,
    std::array<bool, 3> wanted);
TORCH_API Tensor nll_loss_backward_jvp(const Tensor& grad_output_p, const Tensor& grad_output_t,
                                       const Tensor& self, const Tensor& target, const Tensor& weight_p,
                                       const Tensor& weight_t, int64_t reduction, const SymInt& ignore_index,
                                       const Tensor& total_weight_p, const Tensor& total_weight_t);
/// Weights may be undefined: they are 1.
TORCH_API Tensor binary_cross_entropy_with_logits_backward(const Tensor& grad, const Tensor& self,
                                                           const Tensor& target, const Tensor& weight,
                                                           const Tensor& pos_weight, int64_t reduction);
TORCH_API Tensor binary_cross_entropy_with_logits_target_backward(const Tensor& grad, const Tensor& self,
                                                                  const Tensor& weight,
                                                                  const Tensor& pos_weight,
                                                                  int64_t reduction);
TORCH_API Tensor binary_cross_entropy_with_logits_jvp(const Tensor& self_p, const Tensor& self_t,
                                                      const Tensor& target_p, const Tensor& target_t,
                                                      const std::optional<Tensor>& weight,
                                                      const std::optional<Tensor>& pos_weight,
                                                      int64_t reduction);

// -------------------- Reductions

TORCH_API Tensor sum_backward(const Tensor& grad, SymIntArrayRef sizes, OptionalIntArrayRef dims,
                              bool keepdim);
TORCH_API Tensor mean_backward(const Tensor& grad, SymIntArrayRef sizes);
TORCH_API Tensor mean_backward(const Tensor& grad, SymIntArrayRef sizes, OptionalIntArrayRef dims,
                               bool keepdim);
TORCH_API Tensor var_backward(const Tensor& grad, const Tensor& self, OptionalIntArrayRef dims,
                              const std::optional<Scalar>& correction, bool keepdim);
TORCH_API Tensor var_jvp(const Tensor& self_p, const Tensor& self_t, OptionalIntArrayRef dims,
                         const std::optional<Scalar>& correction, bool keepdim);
TORCH_API Tensor std_backward(const Tensor& result, const Tensor& grad, const Tensor& self,
                              OptionalIntArrayRef dims, const std::optional<Scalar>& correction,
                              bool keepdim);
TORCH_API Tensor std_jvp(const Tensor& result, const Tensor& self_p, const Tensor& self_t,
                         OptionalIntArrayRef dims, const std::optional<Scalar>& correction, bool keepdim);
/// Of norms of vectors; `p` is 2 where it isn't given. Where a norm is 0, so is its gradient.
TORCH_API Tensor norm_backward(const Tensor& grad, const Tensor& self, const std::optional<Scalar>& p,
                               const Tensor& norm, OptionalIntArrayRef dims = std::nullopt,
                               bool keepdim = false);
TORCH_API Tensor norm_jvp(const Tensor& self_p, const Tensor& self_t, const std::optional<Scalar>& p,
                          const Tensor& norm, OptionalIntArrayRef dims = std::nullopt, bool keepdim = false);
TORCH_API Tensor prod_backward(const Tensor& grad, const Tensor& self);
TORCH_API Tensor prod_backward(const Tensor& grad, const Tensor& self, int64_t dim, bool keepdim);
TORCH_API Tensor prod_jvp(const Tensor& self_p, const Tensor& self_t, ScalarType result_st);
TORCH_API Tensor prod_jvp(const Tensor& self_p, const Tensor& self_t, ScalarType result_st, int64_t dim,
                          bool keepdim);
TORCH_API Tensor cumsum_backward(const Tensor& grad, int64_t dim);
/// Of amax and amin: elements that tie share it.
TORCH_API Tensor amaxamin_backward(const Tensor& grad, const Tensor& self, const Tensor& result,
                                   IntArrayRef dims, bool keepdim);
TORCH_API Tensor amaxamin_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& result,
                              IntArrayRef dims, bool keepdim);
/// Of max and min of all elements: those that tie share it, NaNs too.
TORCH_API Tensor evenly_distribute_backward(const Tensor& grad, const Tensor& self, const Tensor& value);
TORCH_API Tensor evenly_read_jvp(const Tensor& self_t, const Tensor& self_p, const Tensor& value);
TORCH_API Tensor aminmax_backward(const Tensor& self, std::optional<int64_t> dim, bool keepdim,
                                  const Tensor& grad_min, const Tensor& grad_max, const Tensor& min,
                                  const Tensor& max);
TORCH_API Tensor aminmax_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& value,
                             std::optional<int64_t> dim, bool keepdim);
TORCH_API Tensor logsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result,
                                    IntArrayRef dims, bool keepdim);
TORCH_API Tensor logsumexp_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& result,
                               IntArrayRef dims, bool keepdim);

// -------------------- Softmax

TORCH_API Tensor cumprod_jvp(const Tensor& self_t, const Tensor& self_p, const Tensor& result, int64_t dim);
TORCH_API Tensor logcumsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result,
                                       int64_t dim);
TORCH_API Tensor logcumsumexp_jvp(const Tensor& self_p, const Tensor& self_t, int64_t dim);
TORCH_API Tensor roll_backward(const Tensor& grad, SymIntArrayRef shifts, IntArrayRef dims);

/// What max pooling with these indices, of planes of `dim` dimensions, takes from a gradient of its input.
TORCH_API Tensor max_pool_double_backward(const Tensor& grad, const Tensor& indices, int64_t dim);
TORCH_API Tensor max_pool2d_double_backward(const Tensor& grad, const Tensor& self, IntArrayRef kernel_size,
                                            IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                            bool ceil_mode);

TORCH_API Tensor softmax_jvp(const Tensor& self_t, const Tensor& result, int64_t dim);
TORCH_API Tensor log_softmax_jvp(const Tensor& self_t, const Tensor& result, int64_t dim);
TORCH_API Tensor softmax_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& output,
                                         int64_t dim);
TORCH_API Tensor softmax_backward_jvp(const Tensor& grad_output_p, const Tensor& grad_output_t,
                                      const Tensor& output_p, const Tensor& output_t, int64_t dim,
                                      ScalarType input_dtype);
TORCH_API Tensor log_softmax_backward_jvp(const Tensor& grad_output_p, const Tensor& grad_output_t,
                                          const Tensor& output_p, const Tensor& output_t, int64_t dim,
                                          ScalarType input_dtype);

// -------------------- Views and joining

/// Of a copy of the input at a broadcast size.
TORCH_API Tensor expand_backward(const Tensor& grad, SymIntArrayRef sizes);
TORCH_API Tensor permute_backwards(const Tensor& grad, IntArrayRef dims);
TORCH_API Tensor slice_backward_wrapper(const Tensor& grad, SymIntArrayRef sizes, int64_t dim,
                                        const std::optional<SymInt>& start, const std::optional<SymInt>& end,
                                        const SymInt& step);
/// Exact where several elements of the input or of the result share memory, too: an element of the input gets
/// its share of what its memory gets.
TORCH_API Tensor as_strided_backward(const Tensor& grad, const TensorGeometry& self, SymIntArrayRef sizes,
                                     SymIntArrayRef strides, const std::optional<SymInt>& storage_offset);
TORCH_API Tensor split_backward(TensorList grads, const SymInt& split_size, int64_t dim, SymIntArrayRef sizes,
                                const c10::TensorOptions& options);
TORCH_API Tensor split_with_sizes_backward(TensorList grads, SymIntArrayRef split_sizes, int64_t dim,
                                           SymIntArrayRef sizes, const c10::TensorOptions& options);
TORCH_API Tensor unbind_backward(TensorList grads, int64_t dim);
TORCH_API std::vector<Tensor> cat_tensors_backward(const Tensor& grad,
                                                   const std::vector<std::vector<SymInt>>& sizes,
                                                   const std::vector<ScalarType>& dtypes, int64_t dim);
TORCH_API std::vector<Tensor> stack_tensors_backward(const Tensor& grad, int64_t dim,
                                                     const std::vector<ScalarType>& dtypes);

/// Undefined if none of the tensors has a tangent.
TORCH_API Tensor cat_jvp(const at::ITensorListRef& tensors, int64_t dim);
TORCH_API Tensor stack_jvp(TensorList tensors, int64_t dim);

// -------------------- Padding and repetition

TORCH_API Tensor constant_pad_nd_backward(const Tensor& grad, SymIntArrayRef pad);
TORCH_API Tensor repeat_backward(const Tensor& grad, SymIntArrayRef repeats, SymIntArrayRef input_shape);
TORCH_API Tensor as_strided_scatter_backward(const Tensor& grad, const TensorGeometry& self,
                                             const TensorGeometry& src, SymIntArrayRef sizes,
                                             SymIntArrayRef strides,
                                             const std::optional<SymInt>& storage_offset);

// -------------------- Indexing

/// `zeros` becomes the gradient.
TORCH_API Tensor index_backward(Tensor zeros, const c10::List<std::optional<Tensor>>& indices,
                                const Tensor& grad);
TORCH_API Tensor gather_backward(const Tensor& grad, SymIntArrayRef sizes, int64_t dim, const Tensor& index,
                                 bool sparse_grad);
/// Of `src`, of which scatter takes the part that has the size of `index`.
TORCH_API Tensor scatter_src_backward(const Tensor& grad, int64_t dim, const Tensor& index,
                                      SymIntArrayRef src_sizes);
TORCH_API std::tuple<Tensor, Tensor> scatter_reduce_backward(const Tensor& grad, const Tensor& self,
                                                             int64_t dim, const Tensor& index,
                                                             const Tensor& src, std::string_view reduce,
                                                             bool include_self, const Tensor& result);
TORCH_API Tensor scatter_reduce_jvp(const Tensor& self_p, const Tensor& self_t, int64_t dim,
                                    const Tensor& index, const Tensor& src_p, const Tensor& src_t,
                                    std::string_view reduce, bool include_self, const Tensor& result);
TORCH_API std::tuple<Tensor, Tensor> index_reduce_backward(const Tensor& grad, const Tensor& self,
                                                           int64_t dim, const Tensor& index,
                                                           const Tensor& source, std::string_view reduce,
                                                           bool include_self, const Tensor& result);
TORCH_API Tensor index_add_source_backward(const Tensor& grad, int64_t dim, const Tensor& index,
                                           SymIntArrayRef source_sizes);
TORCH_API Tensor gather_with_keepdimed_indices(const Tensor& self, int64_t dim, const Tensor& indices,
                                               bool keepdim);
TORCH_API Tensor masked_fill_backward(const Tensor& grad, const Tensor& mask);
TORCH_API Tensor embedding_dense_double_backward(const Tensor& grad, const Tensor& indices,
                                                 const SymInt& padding_idx, bool scale_grad_by_freq);

// -------------------- Distances and Fourier transforms

TORCH_API std::tuple<Tensor, Tensor> _euclidean_dist_backward(const Tensor& grad, const Tensor& x1,
                                                              const Tensor& x2, const Tensor& distances);
TORCH_API Tensor fft_r2c_backward(const Tensor& grad, IntArrayRef dim, int64_t normalization, bool onesided,
                                  const SymInt& last_dim_size);
/// `last_dim_size` is the input's.
TORCH_API Tensor fft_c2r_backward(const Tensor& grad, IntArrayRef dim, int64_t normalization,
                                  const SymInt& last_dim_size);

// -------------------- Grid sampling

/// Gradients of grad_output, input and grid, in this order.
TORCH_API std::tuple<Tensor, Tensor, Tensor> grid_sampler_2d_double_backward(
    const Tensor& grad_of_input, const Tensor& grad_of_grid, const Tensor& grad_output, const Tensor& input,
    const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
    std::array<bool, 3> wanted);
TORCH_API std::tuple<Tensor, Tensor, Tensor> grid_sampler_3d_double_backward(
    const Tensor& grad_of_input, const Tensor& grad_of_grid, const Tensor& grad_output, const Tensor& input,
    const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
    std::array<bool, 3> wanted);

// -------------------- Matrix products

/// Gradients in the memory order of the matrix that they are of, which `strides` tell.
TORCH_API Tensor mm_mat1_backward(const Tensor& grad, const Tensor& mat2, SymIntArrayRef mat1_strides,
                                  const Scalar& alpha);
TORCH_API Tensor mm_mat2_backward(const Tensor& grad, const Tensor& mat1, SymIntArrayRef mat2_strides,
                                  const Scalar& alpha);
/// The gradient of a sum over a batch, for every member of it.
TORCH_API Tensor addbmm_batches(const Tensor& grad, const Tensor& batch1);
/// Gradients of the three that are wanted.
TORCH_API std::tuple<Tensor, Tensor, Tensor> trilinear_backward(const Tensor& grad, const Tensor& i1,
                                                                const Tensor& i2, const Tensor& i3,
                                                                IntArrayRef expand1, IntArrayRef expand2,
                                                                IntArrayRef expand3, IntArrayRef sumdim,
                                                                std::array<bool, 3> wanted);

// -------------------- Convolutions

/// Bias and its tangent may be undefined.
TORCH_API Tensor convolution_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                                 const Tensor& weight_t, const Tensor& bias_p, const Tensor& bias_t,
                                 SymIntArrayRef stride, SymIntArrayRef padding, SymIntArrayRef dilation,
                                 bool transposed, SymIntArrayRef output_padding, const SymInt& groups);
/// Undefined where the gradient of the bias was not asked for.
TORCH_API Tensor convolution_backward_jvp_grad_bias(const Tensor& grad_output_t, const Tensor& grad_bias);

// -------------------- Layer norm

TORCH_API Tensor layer_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                                const Tensor& weight_t, const Tensor& bias_t, const Tensor& mean,
                                const Tensor& rstd, SymIntArrayRef normalized_shape);
/// Tangents of the gradients of input, weight and bias that `output_mask` asks for.
TORCH_API std::tuple<Tensor, Tensor, Tensor> layer_norm_backward_jvp(
    const Tensor& grad_out_p, const Tensor& grad_out_t, const Tensor& input_p, const Tensor& input_t,
    const Tensor& weight_p, const Tensor& weight_t, const Tensor& rstd, SymIntArrayRef normalized_shape,
    std::array<bool, 3> output_mask);
/// Gradients of input, weight and grad_out, in this order.
TORCH_API std::tuple<Tensor, Tensor, Tensor> layer_norm_double_backward(
    const Tensor& input, const Tensor& weight, const Tensor& grad_of_input, const Tensor& grad_of_weight,
    const Tensor& grad_of_bias, const Tensor& grad_out, const Tensor& mean, const Tensor& rstd,
    SymIntArrayRef normalized_shape, std::array<bool, 3> wanted);

// -------------------- Batch, group and rms norm

TORCH_API Tensor batch_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                                const Tensor& weight_t, const Tensor& bias_t,
                                const std::optional<Tensor>& running_mean,
                                const std::optional<Tensor>& running_var, const Tensor& saved_mean,
                                const Tensor& saved_invstd, bool train, double eps);
/// Gradients of input, weight and grad_out, in this order.
TORCH_API std::tuple<Tensor, Tensor, Tensor> batchnorm_double_backward(
    const Tensor& input, const Tensor& weight, const Tensor& grad_of_input, const Tensor& grad_of_weight,
    const Tensor& grad_of_bias, const Tensor& grad_out, const Tensor& running_mean, const Tensor& running_var,
    bool train, double eps, const Tensor& saved_mean, const Tensor& saved_invstd, std::array<bool, 3> wanted);

/// By the kernel, or by other operators where the result is to be differentiated.
TORCH_API std::tuple<Tensor, Tensor, Tensor> group_norm_backward(const Tensor& grad, const Tensor& grad_mean,
                                                                 const Tensor& grad_rstd, const Tensor& input,
                                                                 const Tensor& mean, const Tensor& rstd,
                                                                 const Tensor& weight, const SymInt& N,
                                                                 const SymInt& C, const SymInt& HxW,
                                                                 int64_t group, std::array<bool, 3> wanted);
TORCH_API Tensor group_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                                const Tensor& weight_t, const Tensor& bias_t, const Tensor& mean,
                                const Tensor& rstd, int64_t groups);
TORCH_API Tensor group_norm_mean_jvp(const Tensor& input_t, const Tensor& mean, int64_t groups);
TORCH_API Tensor group_norm_invstd_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& mean,
                                       const Tensor& rstd, int64_t groups);

TORCH_API std::tuple<Tensor, Tensor> rms_norm_backward(const Tensor& grad, const Tensor& grad_rstd,
                                                       const Tensor& input, IntArrayRef normalized_shape,
                                                       const Tensor& rstd, const Tensor& weight,
                                                       std::array<bool, 2> wanted);
TORCH_API Tensor rms_norm_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& weight_p,
                              const Tensor& weight_t, const Tensor& rstd, IntArrayRef normalized_shape);
TORCH_API Tensor rms_norm_rstd_jvp(const Tensor& input_p, const Tensor& input_t, const Tensor& rstd,
                                   IntArrayRef normalized_shape);

}  // namespace torch::inline C10_ABI::autograd::generated::details
