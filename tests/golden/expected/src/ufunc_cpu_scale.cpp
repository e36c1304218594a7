// Generated from templates/src/ufunc_cpu.mako; not to be edited.
// Elementwise loops over the functors, compiled once for each CPU capability.
#include <ATen/native/DispatchStub.h>
#include <ATen/native/cpu/Ufunc.h>
#include <c10/core/Scalar.h>
#include <scale.h>

namespace at::native {

DECLARE_HIDDEN_DISPATCH(void (*)(TensorIteratorBase&, const c10::Scalar&), ufunc_scale_out_stub)

inline namespace CPU_CAPABILITY {

static void ufunc_scale_out_kernel(TensorIteratorBase& iter, const c10::Scalar& alpha) {
  const auto scale_bool_of = [&]<class T>(ufunc_type<T>) {
    const auto _alpha = alpha.to<ufunc_scalar_t<T>>();
    return [=](T self, T other) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::scale_bool<T>(self, other, _alpha); };
  };
  if (ufunc_loop<2, bool>(iter, scale_bool_of, ufunc::ignores_sign<"scale_bool">, ufunc::takes_numbers<"scale_bool">)) {
    return;
  }
  const auto scale_of = [&]<class T>(ufunc_type<T>) {
    const auto _alpha = alpha.to<ufunc_scalar_t<T>>();
    return [=](T self, T other) C10_ALWAYS_INLINE_ATTRIBUTE { return ufunc::scale<T>(self, other, _alpha); };
  };
  if (ufunc_loop<2, uint8_t, int8_t, int32_t, int64_t, int16_t, float, double, c10::complex<float>, c10::complex<double>, c10::BFloat16, c10::Half>(iter, scale_of, ufunc::ignores_sign<"scale">, ufunc::takes_numbers<"scale">)) {
    return;
  }
  ufunc_no_dtype(iter);
}

}  // namespace CPU_CAPABILITY
REGISTER_DISPATCH(ufunc_scale_out_stub, &ufunc_scale_out_kernel)

}  // namespace at::native
