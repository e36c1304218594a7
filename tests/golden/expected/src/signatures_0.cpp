// Generated from templates/src/signatures.cpp.mako; not to be edited.
// Conversion between typed calls and stacks of IValues: one constant for each distinct C++ signature.
#include <ATen/core/Tensor.h>
#include <ATen/core/boxing/Boxing.h>

namespace at::inline C10_ABI::_signatures {

extern constinit const c10::Signature s44368353_d8e62132 = c10::boxing<::std::tuple<at::Tensor &,at::Tensor &>(const at::Tensor &, int64_t, bool, at::Tensor &, at::Tensor &)>;
extern constinit const c10::Signature s40e0758b_fe9722ae = c10::boxing<::std::tuple<at::Tensor,at::Tensor,int64_t>(const at::Tensor &, int64_t, ::std::optional<at::Device>)>;
extern constinit const c10::Signature s9a597ae6_c6131c92 = c10::boxing<::std::tuple<at::Tensor,at::Tensor>(const at::Tensor &, const at::Tensor &, double)>;
extern constinit const c10::Signature s2d400e5a_68b317fa = c10::boxing<::std::tuple<at::Tensor,at::Tensor>(const at::Tensor &, int64_t, bool)>;
extern constinit const c10::Signature sa5df5d33_eba11fa5 = c10::boxing<::std::vector<at::Tensor>(const at::Tensor &, const c10::List<::std::optional<at::Tensor>> &)>;
extern constinit const c10::Signature s8c631a58_dacd157b = c10::boxing<at::Tensor &(at::Tensor &, const at::Tensor &, const at::Scalar &)>;
extern constinit const c10::Signature sf7f3e0b0_3c6012c6 = c10::boxing<at::Tensor &(c10::SymInt, const at::Scalar &, at::Tensor &)>;
extern constinit const c10::Signature s70b0aa34_af0b14d9 = c10::boxing<at::Tensor &(const at::ITensorListRef &, int64_t, at::Tensor &)>;
extern constinit const c10::Signature s7690dd10_45781abb = c10::boxing<at::Tensor &(const at::Tensor &, at::IntArrayRef, at::IntArrayRef, at::Tensor &)>;
extern constinit const c10::Signature sa95e147b_0bfc1620 = c10::boxing<at::Tensor &(const at::Tensor &, at::Tensor &, double, at::Tensor &)>;
extern constinit const c10::Signature sf67ad3b0_309f2002 = c10::boxing<at::Tensor &(const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>, at::Tensor &)>;
extern constinit const c10::Signature s0f2d0496_e3a61c18 = c10::boxing<at::Tensor &(const at::Tensor &, const at::Tensor &, const at::Scalar &, at::Tensor &)>;
extern constinit const c10::Signature s56e43846_f91b1d19 = c10::boxing<at::Tensor &(const at::Tensor &, double, ::std::optional<at::Generator>, at::Tensor &)>;
extern constinit const c10::Signature s2e48439b_7c5535f3 = c10::boxing<at::Tensor(c10::SymInt, const at::Scalar &, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>)>;
extern constinit const c10::Signature s4adf9fb1_9420103d = c10::boxing<at::Tensor(const at::ITensorListRef &, int64_t)>;
extern constinit const c10::Signature s692bab10_d37c161f = c10::boxing<at::Tensor(const at::Tensor &, at::IntArrayRef, at::IntArrayRef)>;
extern constinit const c10::Signature sf7a90329_ddc21184 = c10::boxing<at::Tensor(const at::Tensor &, at::Tensor &, double)>;
extern constinit const c10::Signature se969f81b_701b1b66 = c10::boxing<at::Tensor(const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>)>;
extern constinit const c10::Signature s8ac294b1_ee252013 = c10::boxing<at::Tensor(const at::Tensor &, const ::std::optional<at::Tensor> &, double, c10::string_view)>;
extern constinit const c10::Signature sb3021681_2dbe12fc = c10::boxing<at::Tensor(const at::Tensor &, const at::Tensor &, bool)>;
extern constinit const c10::Signature sac39f5f0_5cff177c = c10::boxing<at::Tensor(const at::Tensor &, const at::Tensor &, const at::Scalar &)>;
extern constinit const c10::Signature sde45b89d_243c2e67 = c10::boxing<at::Tensor(int64_t, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>)>;
extern constinit const c10::Signature s01160278_6eaf084f = c10::boxing<bool(const at::Tensor &)>;
extern constinit const c10::Signature s447827e7_cef41589 = c10::boxing<const at::Tensor &(const at::Tensor &, const at::Tensor &, bool)>;
extern constinit const c10::Signature s3ef15b80_c66d1c26 = c10::boxing<const at::Tensor &(const at::Tensor &, const at::Tensor &, bool, const at::Tensor &)>;

}  // namespace at::inline C10_ABI::_signatures
