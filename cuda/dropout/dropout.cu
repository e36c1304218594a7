// Dropout on CUDA: random words, the mask and the output in one pass.
#include <ATen/native/cuda/dropout/dropout.h>

#include <ATen/Dispatch.h>
#include <ATen/native/math/types.h>
#include <ATen/native/cuda/random/blocks.cuh>

namespace at::native {
namespace dropout_cuda {

using random_cuda::Chance;

template <class T>
struct Dropout {
  static constexpr int count = 4;
  using O = ufunc::opmath<T>;
  T* out;
  bool* mask;
  const T* in;
  Chance chance;
  O scale;
  PhiloxBlock words;
  __device__ void compute(const PhiloxBlock& block) { words = block; }
  __device__ void put(int64_t index, int k) const {
    const bool kept = chance(words[k]);
    mask[index] = kept;
    // The factor by a product: a choice may become a branch, and the two halves of a warp write apart.
    out[index] = static_cast<T>(static_cast<O>(in[index]) * (scale * static_cast<O>(kept)));
  }
};

}  // namespace dropout_cuda

void dropout_on_device(const TensorBase& output, const TensorBase& mask, const TensorBase& input, double keep,
                       double scale) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "native_dropout", [&] {
    using Make = dropout_cuda::Dropout<scalar_t>;
    random_cuda::run(Make{output.mutable_data_ptr<scalar_t>(),
                          mask.mutable_data_ptr<bool>(),
                          input.const_data_ptr<scalar_t>(),
                          random_cuda::Chance(keep),
                          static_cast<typename Make::O>(scale),
                          {}},
                     input.numel(), input.device(), std::nullopt);
  });
}

}  // namespace at::native
