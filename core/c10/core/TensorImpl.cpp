// TensorImpl: geometry, version counters and copies.
#include <c10/core/TensorImpl.h>

#include <c10/core/UndefinedTensorImpl.h>
#include <c10/util/safe_numerics.h>

#include <atomic>
#include <utility>

namespace c10::inline C10_ABI {

AutogradMetaInterface::~AutogradMetaInterface() = default;

namespace impl {

namespace {
constinit std::atomic<const AutogradMetaFactory*> meta_factory{nullptr};
}
void set_autograd_meta_factory(const AutogradMetaFactory* factory) noexcept { meta_factory.store(factory); }
const AutogradMetaFactory* autograd_meta_factory() noexcept {
  return meta_factory.load(std::memory_order_acquire);
}

DispatchKeySet dense_key_set(DeviceType type) {
  const BackendComponent backend = toBackendComponent(type);
  TORCH_CHECK_NOT_IMPLEMENTED(backend != BackendComponent::InvalidBit, "tensors on device type ", type,
                              " aren't supported");
  return DispatchKeySet(toRuntimePerBackendFunctionalityKey(DispatchKey::Dense, backend));
}

}  // namespace impl

DispatchKeySet TensorImpl::with_autograd_keys_slow(DispatchKeySet key_set) {
  if (key_set.empty()) return key_set;
  return key_set | getAutogradRelatedKeySetFromBackend(key_set.highestBackendKey());
}

// One function that returns the blocks to the cache: the end of every tensor.
__attribute__((flatten)) TensorImpl::~TensorImpl() {
  if (C10_UNLIKELY(autograd_meta_ != nullptr)) delete autograd_meta_;
}

void TensorImpl::release_resources() {
  delete std::exchange(autograd_meta_, nullptr);
  storage_ = Storage();
  view_base_.reset();
  pyobj_slot_.maybe_destroy_pyobj();
}

// ---- geometry

namespace {

// Product of sizes, which must not be negative; checked before the tensor is changed.
int64_t checked_numel(IntArrayRef sizes) {
  for (int64_t size : sizes) {
    TORCH_CHECK(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
  }
  uint64_t numel = 1;
  const bool overflow = safe_multiplies_u64(sizes, &numel);
  TORCH_CHECK(!overflow && numel <= static_cast<uint64_t>(INT64_MAX),
              "numel: integer multiplication overflow of sizes ", sizes);
  return static_cast<int64_t>(numel);
}

}  // namespace

void TensorImpl::refresh_numel() { numel_ = checked_numel(sizes()); }

bool TensorImpl::compute_contiguous(MemoryFormat format) const {
  if (numel_ == 0) return true;
  const IntArrayRef sizes = this->sizes(), strides = this->strides();
  constexpr size_t order_2d[] = {1, 3, 2, 0}, order_3d[] = {1, 4, 3, 2, 0};
  int64_t expected = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t d = format == MemoryFormat::ChannelsLast     ? order_2d[i]
                     : format == MemoryFormat::ChannelsLast3d ? order_3d[i]
                                                              : sizes.size() - 1 - i;
    if (sizes[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

bool TensorImpl::compute_non_overlapping_and_dense() const {
  const IntArrayRef sizes = this->sizes(), strides = this->strides();
  if (sizes.size() == 1) return sizes[0] < 2 || strides[0] == 1;
  // Insertion sort by stride, sizes below 2 last: there are few dimensions.
  SmallVector<size_t, impl::kInlineDims> order(sizes.size(), 0);
  const auto before = [&](size_t a, size_t b) {
    if (sizes[a] < 2) return false;
    return sizes[b] < 2 || strides[a] < strides[b];
  };
  for (size_t i = 0; i < order.size(); ++i) {
    size_t j = i;
    for (; j > 0 && before(i, order[j - 1]); --j) order[j] = order[j - 1];
    order[j] = i;
  }
  int64_t expected = 1;
  for (size_t d : order) {
    if (sizes[d] < 2) return true;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

uint8_t TensorImpl::compute_shape_flags() const {
  uint8_t flags = compute_contiguous(MemoryFormat::Contiguous) ? kContiguous : 0;
  const size_t ndim = sizes_and_strides_.size();
  if (ndim == 4) {
    if (compute_contiguous(MemoryFormat::ChannelsLast)) flags |= kChannelsLastContiguous;
    if (is_channels_last_strides_2d(sizes(), strides())) flags |= kChannelsLast;
  } else if (ndim == 5) {
    if (compute_contiguous(MemoryFormat::ChannelsLast3d)) flags |= kChannelsLast3dContiguous;
    if (is_channels_last_strides_3d(sizes(), strides())) flags |= kChannelsLast3d;
  }
  constexpr uint8_t any_contiguous = kContiguous | kChannelsLastContiguous | kChannelsLast3dContiguous;
  if ((flags & any_contiguous) != 0 || compute_non_overlapping_and_dense()) flags |= kNonOverlappingAndDense;
  return flags;
}

void TensorImpl::refresh_contiguous() {
  form_.flags = static_cast<uint8_t>((form_.flags & ~kShapeFlags) | compute_shape_flags());
}

void TensorImpl::set_sizes_contiguous(IntArrayRef new_sizes) {
  TORCH_CHECK(allow_tensor_metadata_change(),
              "set_sizes_contiguous is not allowed on a tensor created by detach()");
  const size_t ndim = new_sizes.size();
  // Sizes of 0 count as 1 in strides, so this product bounds every stride.
  uint64_t extent = 1;
  bool overflow = false, empty = false;
  for (int64_t size : new_sizes) {
    TORCH_CHECK(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", new_sizes);
    empty |= size == 0;
    overflow |= mul_overflows(extent, static_cast<uint64_t>(size > 1 ? size : 1), &extent);
  }
  TORCH_CHECK(!overflow && extent <= static_cast<uint64_t>(INT64_MAX),
              "Stride calculation overflowed for sizes ", new_sizes);
  sizes_and_strides_.resize(ndim);
  int64_t *sizes = sizes_and_strides_.sizes_data(), *strides = sizes_and_strides_.strides_data();
  int64_t stride = 1;
  for (size_t i = ndim; i-- > 0;) {
    const int64_t size = new_sizes[i];
    sizes[i] = size;
    strides[i] = stride;
    stride *= size > 1 ? size : 1;
  }
  numel_ = empty ? 0 : static_cast<int64_t>(extent);
  if (C10_LIKELY(ndim < 4)) {
    form_.flags = static_cast<uint8_t>((form_.flags & ~kShapeFlags) | kContiguous | kNonOverlappingAndDense);
  } else {
    refresh_contiguous();
  }
}

void TensorImpl::set_sizes_and_strides(IntArrayRef new_sizes, IntArrayRef new_strides,
                                       std::optional<int64_t> storage_offset) {
  TORCH_CHECK(allow_tensor_metadata_change(),
              "set_sizes_and_strides is not allowed on a tensor created by detach()");
  const size_t ndim = new_sizes.size();
  TORCH_CHECK(ndim == new_strides.size(), "dimensionality of sizes (", ndim,
              ") must match dimensionality of strides (", new_strides.size(), ")");
  for (int64_t stride : new_strides) {
    TORCH_CHECK(stride >= 0, "negative strides are not supported, got strides ", new_strides);
  }
  const int64_t numel = checked_numel(new_sizes);
  sizes_and_strides_.resize(ndim);
  for (size_t i = 0; i < ndim; ++i) sizes_and_strides_.sizes_data()[i] = new_sizes[i];
  for (size_t i = 0; i < ndim; ++i) sizes_and_strides_.strides_data()[i] = new_strides[i];
  numel_ = numel;
  refresh_contiguous();
  if (storage_offset.has_value()) set_storage_offset(*storage_offset);
}

void TensorImpl::empty_tensor_restride(MemoryFormat format) {
  const DimVector sizes(this->sizes());
  set_sizes_and_strides(sizes, strides_in_format(sizes, format));
}

void TensorImpl::set_size(int64_t d, int64_t size) {
  TORCH_CHECK(allow_tensor_metadata_change(), "set_size is not allowed on a tensor created by detach()");
  DimVector sizes(this->sizes());
  sizes[wrap_dim(d)] = size;
  numel_ = checked_numel(sizes);
  sizes_and_strides_.sizes_data()[wrap_dim(d)] = size;
  refresh_contiguous();
}

void TensorImpl::set_stride(int64_t d, int64_t stride) {
  TORCH_CHECK(allow_tensor_metadata_change(), "set_stride is not allowed on a tensor created by detach()");
  TORCH_CHECK(stride >= 0, "negative strides are not supported, got ", stride);
  sizes_and_strides_.strides_data()[wrap_dim(d)] = stride;
  refresh_contiguous();
}

void TensorImpl::set_storage_offset(int64_t storage_offset) {
  TORCH_CHECK(allow_tensor_metadata_change(),
              "set_storage_offset is not allowed on a tensor created by detach()");
  TORCH_CHECK(storage_offset >= 0, "the storage offset must not be negative, got ", storage_offset);
  storage_offset_ = storage_offset;
}

void TensorImpl::throw_wrong_dtype(ScalarType expected) const {
  TORCH_CHECK(false, "expected scalar type ", expected, " but found ", form_.dtype);
  __builtin_unreachable();
}

void TensorImpl::throw_no_storage() const {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "Cannot access storage of ", tensorimpl_type_name());
  __builtin_unreachable();
}

// ---- version counter

VariableVersion TensorImpl::version_counter() const {
  if (is_inference()) return VariableVersion();
  const TensorImpl* const counting = counted_on();
  if (!counting->shared_version_) counting->share_version();
  return VariableVersion(counting->shared_version_);
}

// Two threads may race to share the same tensor's counter.
void TensorImpl::share_version() const {
  static_assert(sizeof(shared_version_) == sizeof(VersionCounter*));
  std::atomic_ref<VersionCounter*> slot(*reinterpret_cast<VersionCounter**>(&shared_version_));
  auto fresh = make_intrusive<VersionCounter>(version_, writer_);
  VersionCounter* expected = nullptr;
  if (slot.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) fresh.release();
}

void TensorImpl::set_version_counter(const VariableVersion& version_counter) {
  TORCH_CHECK(!(is_inference() && version_counter.enabled()),
              "Cannot set version_counter for inference tensor");
  shared_version_ = version_counter.counter();
}

void TensorImpl::bump_shared_version(const OperatorEntry* writer) {
  TensorImpl* const counting = counted_on();
  if (counting->shared_version_) return counting->shared_version_->bump(writer);
  ++counting->version_;
  counting->writer_ = writer;
}

void TensorImpl::throw_no_version() const {
  TORCH_CHECK(false, "Inference tensors do not track version counter.");
  __builtin_unreachable();
}

void TensorImpl::set_current_version(int64_t version) { version_counter().set_version(version); }

// ---- autograd

namespace {

AutogradMetaInterface& materialize(AutogradMetaInterface*& meta) {
  if (meta == nullptr) {
    const impl::AutogradMetaFactory* factory = impl::autograd_meta_factory();
    TORCH_CHECK_NOT_IMPLEMENTED(factory != nullptr, "this library was built without autograd");
    meta = factory->make();
  }
  return *meta;
}

}  // namespace

void TensorImpl::set_requires_grad(bool requires_grad) {
  TORCH_CHECK(!(requires_grad && is_inference() && !AutogradState::get_tls_state().inference_mode),
              "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  if (requires_grad || autograd_meta_ != nullptr) {
    materialize(autograd_meta_).set_requires_grad(requires_grad, this);
  }
}

at::Tensor& TensorImpl::mutable_grad() { return materialize(autograd_meta_).mutable_grad(); }

const at::Tensor& TensorImpl::grad() const { return const_cast<TensorImpl*>(this)->mutable_grad(); }

// ---- copies

void TensorImpl::copy_tensor_metadata_from(const TensorImpl& source) {
  storage_ = source.storage_;
  sizes_and_strides_ = source.sizes_and_strides_;
  storage_offset_ = source.storage_offset_;
  numel_ = source.numel_;
  form_.dtype = source.form_.dtype;
  form_.device = source.form_.device;
  key_set_ = source.key_set_;
  const uint8_t kept = kShapeFlags | kWrappedNumber;
  form_.flags = static_cast<uint8_t>((form_.flags & ~kept) | (source.form_.flags & kept));
}

intrusive_ptr<TensorImpl> TensorImpl::shallow_copy_and_detach(const VariableVersion& version_counter,
                                                              bool allow_tensor_metadata_change) const {
  auto copy = make_intrusive<TensorImpl>(VIEW, Storage(storage()), key_set_, form_.dtype);
  copy->copy_tensor_metadata_from(*this);
  if (!copy->is_inference()) copy->set_version_counter(version_counter);
  copy->set_allow_tensor_metadata_change(allow_tensor_metadata_change);
  return copy;
}

void TensorImpl::shallow_copy_from(const intrusive_ptr<TensorImpl>& impl) {
  const DispatchKeySet old_keys = key_set_;
  copy_tensor_metadata_from(*impl);
  // Whether Python handles dispatch is a property of this object, not of its data.
  if (old_keys.has_all(python_ks)) key_set_ = key_set_ | python_ks;
}

// ---- the undefined tensor

UndefinedTensorImpl UndefinedTensorImpl::singleton_;

UndefinedTensorImpl::UndefinedTensorImpl()
    : TensorImpl(DispatchKeySet(), ScalarType::Undefined, std::nullopt) {}
intrusive_ptr<TensorImpl> UndefinedTensorImpl::shallow_copy_and_detach(const VariableVersion&, bool) const {
  TORCH_CHECK(false, "an undefined tensor cannot be copied");
  return {};
}
void UndefinedTensorImpl::shallow_copy_from(const intrusive_ptr<TensorImpl>&) {
  TORCH_CHECK(false, "an undefined tensor cannot be assigned to");
}

}  // namespace c10::inline C10_ABI
