// Generated from templates/src/ufunc_cuda.mako; not to be edited.
// Elementwise kernels over the functors, on CUDA.
#include <ATen/native/cuda/Ufunc.cuh>
#include <scale.h>

namespace at::native {

template <class T>
struct ufunc_scale_out_scale_bool {
  ufunc_scalar_t<T> _alpha;
  __device__ auto operator()(T self, T other) const -> decltype(ufunc::scale_bool<T>(self, other, _alpha)) {
    return ufunc::scale_bool<T>(self, other, _alpha);
  }
};

template <class T>
struct ufunc_scale_out_scale {
  ufunc_scalar_t<T> _alpha;
  __device__ auto operator()(T self, T other) const -> decltype(ufunc::scale<T>(self, other, _alpha)) {
    return ufunc::scale<T>(self, other, _alpha);
  }
};

void ufunc_scale_out_cuda(TensorIteratorBase& iter, const c10::Scalar& alpha) {
  const auto scale_bool_of = [&]<class T>(ufunc_type<T>) {
    return ufunc_scale_out_scale_bool<T>{alpha.to<ufunc_scalar_t<T>>()};
  };
  if (ufunc_loop<2, false, bool>(iter, scale_bool_of)) {
    return;
  }
  const auto scale_of = [&]<class T>(ufunc_type<T>) {
    return ufunc_scale_out_scale<T>{alpha.to<ufunc_scalar_t<T>>()};
  };
  if (ufunc_loop<2, false, uint8_t, int8_t, int32_t, int64_t, int16_t, float, double, c10::complex<float>, c10::complex<double>, c10::BFloat16, c10::Half>(iter, scale_of)) {
    return;
  }
  ufunc_no_dtype(iter);
}

}  // namespace at::native
