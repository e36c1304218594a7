// The CPU's generator, and functions over the generators of all devices.
#include <ATen/CPUGeneratorImpl.h>

#include <ATen/EmptyTensor.h>
#include <c10/core/impl/DeviceInterface.h>

#include <sys/random.h>

#include <cstring>
#include <ctime>
#include <mutex>
#include <optional>

namespace c10::inline C10_ABI {

GeneratorImpl::~GeneratorImpl() = default;

namespace detail {

uint64_t getNonDeterministicRandom(bool is_cuda) {
  uint64_t value = 0;
  if (::getrandom(&value, sizeof(value), 0) != static_cast<ssize_t>(sizeof(value))) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    value = static_cast<uint64_t>(now.tv_nsec) * 0x9E3779B97F4A7C15u ^ static_cast<uint64_t>(now.tv_sec);
  }
  return is_cuda ? value & ((uint64_t{1} << 53) - 1) : value;
}

}  // namespace detail
}  // namespace c10::inline C10_ABI

namespace at::inline C10_ABI {

CPUGeneratorImpl::CPUGeneratorImpl(uint64_t seed)
    : GeneratorImpl(Device(DeviceType::CPU), DispatchKeySet(DispatchKey::CPU)), seed_(seed) {}

c10::intrusive_ptr<CPUGeneratorImpl> CPUGeneratorImpl::clone() const {
  return c10::intrusive_ptr<CPUGeneratorImpl>::unsafe_steal_from_new(clone_impl());
}

CPUGeneratorImpl* CPUGeneratorImpl::clone_impl() const {
  auto* copy = new CPUGeneratorImpl(seed_);
  copy->offset_ = offset_;
  copy->block_ = block_;
  copy->used_ = used_;
  return copy;
}

void CPUGeneratorImpl::set_current_seed(uint64_t seed) {
  seed_ = seed;
  set_offset(0);
}

uint64_t CPUGeneratorImpl::seed() {
  set_current_seed(c10::detail::getNonDeterministicRandom());
  return seed_;
}

void CPUGeneratorImpl::set_offset(uint64_t offset) {
  offset_ = offset;
  used_ = 4;
}

PhiloxState CPUGeneratorImpl::reserve(uint64_t blocks) {
  const PhiloxState state{seed_, offset_};
  set_offset(offset_ + blocks);
  return state;
}

uint32_t CPUGeneratorImpl::random() {
  if (used_ == 4) {
    block_ = philox4x32(seed_, offset_++);
    used_ = 0;
  }
  return block_[static_cast<int>(used_++)];
}

uint64_t CPUGeneratorImpl::random64() {
  const uint64_t high = random();
  return high << 32 | random();
}

namespace {

// The serialized state: seed, offset, and how many words of the current block are used.
struct SavedState {
  uint64_t seed, offset, used;
};

}  // namespace

c10::intrusive_ptr<c10::TensorImpl> CPUGeneratorImpl::get_state() const {
  TensorBase bytes = detail::empty_cpu({static_cast<int64_t>(sizeof(SavedState))}, kByte);
  const SavedState state{seed_, offset_, used_};
  std::memcpy(bytes.mutable_data_ptr(), &state, sizeof(state));
  return c10::intrusive_ptr<c10::TensorImpl>::reclaim(bytes.unsafeReleaseTensorImpl());
}

void CPUGeneratorImpl::set_state(const c10::TensorImpl& new_state) {
  TORCH_CHECK_TYPE(new_state.is_cpu() && new_state.scalar_type() == kByte && new_state.is_contiguous(),
                   "RNG state must be a contiguous uint8 tensor on the CPU");
  TORCH_CHECK(new_state.numel() == static_cast<int64_t>(sizeof(SavedState)),
              "RNG state is wrong size: expected ", sizeof(SavedState), " bytes, got ", new_state.numel());
  SavedState state;
  std::memcpy(&state, new_state.data(), sizeof(state));
  TORCH_CHECK(state.used <= 4, "RNG state is invalid");
  seed_ = state.seed;
  set_offset(state.offset);
  if (state.used < 4) {
    block_ = philox4x32(seed_, offset_ - 1);
    used_ = static_cast<uint32_t>(state.used);
  }
}

namespace detail {

const Generator& getDefaultCPUGenerator() {
  // Never destroyed: it may be used at exit.
  static const Generator* instance = new Generator(createCPUGenerator(seed_of_default_generator()));
  return *instance;
}

namespace {
std::mutex last_seed_mutex;
std::optional<uint64_t> last_seed;
}  // namespace

uint64_t seed_of_default_generator(bool is_cuda) {
  const std::lock_guard<std::mutex> lock(last_seed_mutex);
  return last_seed.has_value() ? *last_seed : c10::detail::getNonDeterministicRandom(is_cuda);
}

Generator createCPUGenerator(uint64_t seed_val) { return make_generator<CPUGeneratorImpl>(seed_val); }

}  // namespace detail

const Generator& default_generator(Device device) {
  if (device.is_cpu()) return detail::getDefaultCPUGenerator();
  const c10::DeviceInterface& interface = c10::device_interface(device.type());
  const auto index = device.has_index() ? device.index() : interface.current_device();
  // A Generator holds nothing but this pointer.
  static_assert(sizeof(Generator) == sizeof(c10::intrusive_ptr<c10::GeneratorImpl>));
  return reinterpret_cast<const Generator&>(interface.default_generator(index));
}

Generator new_generator(Device device) {
  const c10::DeviceInterface& interface = c10::device_interface(device.type());
  return Generator(interface.new_generator(c10::resolve_device(device).index()));
}

void manual_seed(uint64_t seed) {
  {
    const std::lock_guard<std::mutex> lock(detail::last_seed_mutex);
    detail::last_seed = seed;
  }
  for (int i = 0; i < c10::COMPILE_TIME_MAX_DEVICE_TYPES; ++i) {
    const c10::DeviceInterface* interface = c10::find_device_interface(static_cast<DeviceType>(i));
    if (interface == nullptr || interface->type() == DeviceType::Meta) continue;
    for (DeviceIndex index = 0; index < interface->device_count(); ++index) {
      c10::GeneratorImpl& generator = *interface->default_generator(index);
      std::lock_guard<std::mutex> lock(generator.mutex_);
      generator.set_current_seed(seed);
    }
  }
}

}  // namespace at::inline C10_ABI
