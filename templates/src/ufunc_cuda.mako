<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Elementwise kernels over the functors, on CUDA.
#include <ATen/native/cuda/Ufunc.cuh>
% for header in view.functor_headers:
#include <${header}>
% endfor

namespace at::native {
% for u in view.ufuncs:
% for part in u.loops:

template <class T>
struct ${u.name}_${part.functor} {
% for scalar in u.scalars:
  ufunc_scalar_t<T> _${scalar};
% endfor
  __device__ auto operator()(${u.lambda_params}) const -> decltype(ufunc::${part.functor}<T>(${u.lambda_args})) {
    return ufunc::${part.functor}<T>(${u.lambda_args});
  }
};
% endfor

void ${u.name}_cuda(TensorIteratorBase& iter${u.comma_scalar_params}) {
% for part in u.loops:
  const auto ${part.functor}_of = [&]<class T>(ufunc_type<T>) {
    return ${u.name}_${part.functor}<T>{${u.scalar_values}};
  };
  if (ufunc_loop<${u.arity}, ${u.has_list}, ${part.dtypes}>(iter, ${part.functor}_of)) {
    return;
  }
% endfor
  ufunc_no_dtype(iter);
}
% endfor

}  // namespace at::native
