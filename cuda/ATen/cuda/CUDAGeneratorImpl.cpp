// The generators of CUDA devices.
#include <ATen/cuda/CUDAGeneratorImpl.h>

#include <ATen/EmptyTensor.h>
#include <c10/cuda/CUDAStream.h>

#include <cstring>
#include <mutex>
#include <utility>

namespace at::inline C10_ABI {

CUDAGeneratorImpl::CUDAGeneratorImpl(DeviceIndex index, uint64_t seed)
    : GeneratorImpl(Device(DeviceType::CUDA, index), DispatchKeySet(DispatchKey::CUDA)), seed_(seed) {}

void CUDAGeneratorImpl::set_current_seed(uint64_t seed) {
  seed_ = seed;
  offset_ = 0;
}

uint64_t CUDAGeneratorImpl::seed() {
  set_current_seed(c10::detail::getNonDeterministicRandom(/*is_cuda=*/true));
  return seed_;
}

PhiloxState CUDAGeneratorImpl::reserve(uint64_t blocks) {
  const PhiloxState state{seed_, offset_};
  offset_ += blocks;
  return state;
}

CUDAGeneratorImpl* CUDAGeneratorImpl::clone_impl() const {
  auto* copy = new CUDAGeneratorImpl(device_.index(), seed_);
  copy->offset_ = offset_;
  return copy;
}

c10::intrusive_ptr<c10::TensorImpl> CUDAGeneratorImpl::get_state() const {
  const uint64_t state[] = {seed_, offset_};
  TensorBase bytes = at::detail::empty_cpu({static_cast<int64_t>(sizeof(state))}, kByte);
  std::memcpy(bytes.mutable_data_ptr(), state, sizeof(state));
  return c10::intrusive_ptr<c10::TensorImpl>::reclaim(bytes.unsafeReleaseTensorImpl());
}

void CUDAGeneratorImpl::set_state(const c10::TensorImpl& new_state) {
  uint64_t state[2];
  TORCH_CHECK_TYPE(new_state.is_cpu() && new_state.scalar_type() == kByte && new_state.is_contiguous(),
                   "RNG state must be a contiguous uint8 tensor on the CPU");
  TORCH_CHECK(new_state.numel() == static_cast<int64_t>(sizeof(state)), "RNG state is wrong size: expected ",
              sizeof(state), " bytes, got ", new_state.numel());
  std::memcpy(state, new_state.data(), sizeof(state));
  seed_ = state[0];
  offset_ = state[1];
}

namespace cuda::detail {

const Generator& getDefaultCUDAGenerator(DeviceIndex index) {
  // Made on first use and never destroyed.
  static std::once_flag made[c10::cuda::max_devices];
  static auto* generators = new Generator[c10::cuda::max_devices];
  if (index < 0) index = c10::cuda::current_device();
  TORCH_CHECK(index < c10::cuda::device_count(), "invalid CUDA device index ", static_cast<int>(index));
  std::call_once(made[index], [index] {
    generators[index] =
        make_generator<CUDAGeneratorImpl>(index, at::detail::seed_of_default_generator(/*is_cuda=*/true));
  });
  return generators[index];
}

Generator createCUDAGenerator(DeviceIndex index) {
  return make_generator<CUDAGeneratorImpl>(index < 0 ? c10::cuda::current_device() : index);
}

}  // namespace cuda::detail

}  // namespace at::inline C10_ABI
