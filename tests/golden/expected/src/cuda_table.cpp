// Generated from templates/src/cuda_table.cpp.mako; not to be edited.
// All kernels of the CUDA library, registered with the dispatcher when it is loaded.
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/fold_ops.h>
#include <ATen/ops/gauss_ops.h>
#include <ATen/ops/join_ops.h>
#include <ATen/ops/pour_ops.h>
#include <ATen/ops/ramp_ops.h>
#include <ATen/ops/scale_ops.h>
#include <ATen/ops/update_ops.h>

namespace at::inline C10_ABI::kernels {
at::Tensor CUDA_scale_Tensor(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, const at::Scalar &);
at::Tensor & CUDA_scale__Tensor(const c10::OperatorEntry&, c10::DispatchKeySet, at::Tensor &, const at::Tensor &, const at::Scalar &);
at::Tensor & CUDA_scale_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, const at::Scalar &, at::Tensor &);
::std::tuple<at::Tensor,at::Tensor> CUDA_fold_dim(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, bool);
::std::tuple<at::Tensor &,at::Tensor &> CUDA_fold_dim_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, bool, at::Tensor &, at::Tensor &);
at::Tensor & CUDA_gauss_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, double, ::std::optional<at::Generator>, at::Tensor &);
at::Tensor CUDA_ramp(const c10::OperatorEntry&, c10::DispatchKeySet, c10::SymInt, const at::Scalar &, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>);
at::Tensor CUDA_join(const c10::OperatorEntry&, c10::DispatchKeySet, const at::ITensorListRef &, int64_t);
at::Tensor & CUDA_join_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::ITensorListRef &, int64_t, at::Tensor &);
::std::vector<at::Tensor> CUDA_join_masks(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const c10::List<::std::optional<at::Tensor>> &);
at::Tensor CUDA_update(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::Tensor &, double);
const at::Tensor & CUDA_pour_(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, bool);
}  // namespace at::inline C10_ABI::kernels

namespace {

const c10::KernelRow kernels[] = {
    {&at::_ops::scale_Tensor::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_scale_Tensor)},
    {&at::_ops::scale__Tensor::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_scale__Tensor)},
    {&at::_ops::scale_out::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_scale_out)},
    {&at::_ops::fold_dim::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_fold_dim)},
    {&at::_ops::fold_dim_out::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_fold_dim_out)},
    {&at::_ops::gauss_out::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_gauss_out)},
    {&at::_ops::ramp::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_ramp)},
    {&at::_ops::join::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_join)},
    {&at::_ops::join_out::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_join_out)},
    {&at::_ops::join_masks::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_join_masks)},
    {&at::_ops::update::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_update)},
    {&at::_ops::pour_::entry, c10::DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&at::kernels::CUDA_pour_)},
};

const bool registered = [] {
  c10::register_kernels(kernels, sizeof(kernels) / sizeof(kernels[0]), "golden_cuda");
  return true;
}();

}  // namespace
