// The object behind a Tensor: its storage, geometry and dispatch keys, and what autograd and Python attach.
#pragma once

#include <c10/core/AutogradState.h>
#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/core/Storage.h>
#include <c10/core/SymInt.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/core/impl/PyObjectSlot.h>
#include <c10/core/impl/SizesAndStrides.h>
#include <c10/core/impl/VariableVersion.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace at::inline C10_ABI {
class Tensor;
class TensorBase;
namespace detail {
struct ViewAccess;
}
}  // namespace at::inline C10_ABI

namespace c10::inline C10_ABI {

class OperatorEntry;
class TensorImpl;

/// What autograd attaches to a tensor; implemented above core.
struct C10_API AutogradMetaInterface {
  virtual void set_requires_grad(bool requires_grad, TensorImpl* self_impl) = 0;
  virtual bool requires_grad() const = 0;
  virtual at::Tensor& mutable_grad() = 0;
  virtual ~AutogradMetaInterface();
};

namespace impl {
/// Creates an empty AutogradMetaInterface; set when the autograd part of the library is loaded.
struct AutogradMetaFactory {
  AutogradMetaInterface* (*make)();
};
C10_API void set_autograd_meta_factory(const AutogradMetaFactory* factory) noexcept;
C10_API const AutogradMetaFactory* autograd_meta_factory() noexcept;
}  // namespace impl

/// How a view was made: whether autograd can record writes to it.
enum class ViewCreation : uint8_t { Recorded, CustomFunction, MultiOutput, NoGrad, Inference };

class C10_API TensorImpl : public intrusive_ptr_target {
 public:
  enum ImplType { VIEW };

  /// A one-dimensional tensor without elements over `storage`. `key_set` names the backend; autograd's keys
  /// are added unless inference mode is on.
  TensorImpl(Storage&& storage, DispatchKeySet key_set, ScalarType dtype)
      : TensorImpl(std::move(storage), with_autograd_keys(key_set), dtype, storage.device()) {}
  TensorImpl(Storage&& storage, DispatchKeySet key_set, caffe2::TypeMeta dtype)
      : TensorImpl(std::move(storage), key_set, dtype.toScalarType()) {}
  /// A view: the key set is used unchanged, so that a view of a normal tensor stays normal in inference mode.
  TensorImpl(ImplType, Storage&& storage, DispatchKeySet key_set, ScalarType dtype)
      : TensorImpl(std::move(storage), key_set, dtype, storage.device()) {}
  TensorImpl(ImplType type, Storage&& storage, DispatchKeySet key_set, caffe2::TypeMeta dtype)
      : TensorImpl(type, std::move(storage), key_set, dtype.toScalarType()) {}
  /// A tensor over `storage` with the sizes, strides and device of `like`, which is contiguous.
  TensorImpl(Storage&& storage, DispatchKeySet key_set, ScalarType dtype, const TensorImpl& like)
      : storage_(std::move(storage)),
        key_set_(with_autograd_keys(key_set)),
        numel_(like.numel_),
        sizes_and_strides_(like.sizes_and_strides_),
        form_{dtype, like.form_.device, static_cast<uint8_t>(like.form_.flags & kShapeFlags)} {}
  /// Without storage.
  TensorImpl(DispatchKeySet key_set, ScalarType dtype, std::optional<Device> device)
      : TensorImpl(Storage(), with_autograd_keys(key_set), dtype, device.value_or(Device(kCPU))) {}

  TensorImpl(const TensorImpl&) = delete;
  TensorImpl& operator=(const TensorImpl&) = delete;
  ~TensorImpl() override;
  C10_SMALL_BLOCK_ALLOCATED

  // ---- dispatch keys
  DispatchKeySet key_set() const { return key_set_; }
  bool is_python_dispatch() const { return key_set_.has_all(python_ks); }
  void set_python_dispatch(bool enabled) { key_set_ = enabled ? key_set_ | python_ks : key_set_ - python_ks; }
  /// Whether the tensor was made in inference mode: it has neither autograd's keys nor a version counter.
  bool is_inference() const { return !key_set_.has_any(autograd_dispatch_keyset_with_ADInplaceOrView); }
  void remove_autograd_key() { key_set_ = key_set_ - autograd_dispatch_keyset; }
  void set_key_set(DispatchKeySet key_set) { key_set_ = key_set; }

  // ---- shape
  IntArrayRef sizes() const { return sizes_and_strides_.sizes_arrayref(); }
  IntArrayRef strides() const { return sizes_and_strides_.strides_arrayref(); }
  SymIntArrayRef sym_sizes() const { return fromIntArrayRefUnchecked(sizes()); }
  SymIntArrayRef sym_strides() const { return fromIntArrayRefUnchecked(strides()); }
  int64_t dim() const { return static_cast<int64_t>(sizes_and_strides_.size()); }
  int64_t numel() const { return numel_; }
  SymInt sym_numel() const { return numel_; }
  bool is_empty() const { return numel_ == 0; }
  int64_t size(int64_t d) const { return sizes_and_strides_.size_at(wrap_dim(d)); }
  int64_t stride(int64_t d) const { return sizes_and_strides_.stride_at(wrap_dim(d)); }
  SymInt sym_size(int64_t d) const { return size(d); }
  SymInt sym_stride(int64_t d) const { return stride(d); }
  int64_t storage_offset() const { return storage_offset_; }
  SymInt sym_storage_offset() const { return storage_offset_; }
  bool has_symbolic_sizes_strides() const { return false; }

  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const {
    switch (format) {
      case MemoryFormat::ChannelsLast:
        return flag(kChannelsLastContiguous);
      case MemoryFormat::ChannelsLast3d:
        return flag(kChannelsLast3dContiguous);
      default:
        return flag(kContiguous);
    }
  }
  /// Whether dtype, device, flags and sizes are equal; contiguous tensors of one form have one memory layout.
  bool has_form_of(const TensorImpl& other) const {
    return std::bit_cast<uint32_t>(form_) == std::bit_cast<uint32_t>(other.form_) &&
           sizes_and_strides_.same_sizes(other.sizes_and_strides_);
  }
  bool is_strides_like_channels_last() const { return flag(kChannelsLast); }
  bool is_strides_like_channels_last_3d() const { return flag(kChannelsLast3d); }
  /// Whether the elements fill a block of memory without gaps or overlaps.
  bool is_non_overlapping_and_dense() const { return flag(kNonOverlappingAndDense); }

  /// The sizes must not be negative and their product must fit in 63 bits; the caller checks the storage's
  /// size.
  void set_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides,
                             std::optional<int64_t> storage_offset = std::nullopt);
  void set_sizes_contiguous(IntArrayRef sizes);
  /// The strides of the present sizes in this memory format.
  void empty_tensor_restride(MemoryFormat format);
  void set_size(int64_t d, int64_t size);
  void set_stride(int64_t d, int64_t stride);
  void set_storage_offset(int64_t storage_offset);
  /// Recomputes what is derived from sizes and strides.
  void refresh_numel();
  void refresh_contiguous();
  /// For contiguous sizes known to be valid, of at most three dimensions and not empty: the fast path of
  /// factories.
  void unsafe_set_sizes_contiguous(IntArrayRef sizes, int64_t numel) {
    const size_t ndim = sizes.size();
    sizes_and_strides_.resize(ndim);
    int64_t *to_sizes = sizes_and_strides_.sizes_data(), *to_strides = to_sizes + impl::kInlineDims,
            stride = 1;
    for (size_t i = ndim; i-- > 0;) {
      to_sizes[i] = sizes[i];
      to_strides[i] = stride;
      stride *= sizes[i];
    }
    numel_ = numel;
    form_.flags = static_cast<uint8_t>((form_.flags & ~kShapeFlags) | kContiguous | kNonOverlappingAndDense);
  }

  // ---- element type, device, layout
  caffe2::TypeMeta dtype() const { return caffe2::TypeMeta(form_.dtype); }
  ScalarType scalar_type() const { return form_.dtype; }
  size_t itemsize() const { return detail::kElementSizes[detail::scalar_type_index(form_.dtype)]; }
  Device device() const { return form_.device; }
  DeviceType device_type() const { return form_.device.type(); }
  DeviceIndex get_device() const { return form_.device.index(); }
  Layout layout() const { return Layout::Strided; }
  bool is_cpu() const { return form_.device.is_cpu(); }
  bool is_cuda() const { return form_.device.is_cuda(); }
  bool is_meta() const { return form_.device.is_meta(); }
  bool is_privateuseone() const { return form_.device.is_privateuseone(); }

  // ---- memory
  bool has_storage() const { return storage_; }
  const Storage& storage() const {
    if (C10_UNLIKELY(!storage_)) throw_no_storage();
    return storage_;
  }
  Storage& unsafe_storage() { return storage_; }
  const Storage& unsafe_storage() const { return storage_; }
  bool storage_initialized() const { return has_storage() && (storage_.data() != nullptr || numel_ == 0); }
  void set_storage_keep_dtype(Storage storage) { storage_ = std::move(storage); }
  void set_storage_and_dtype(Storage storage, caffe2::TypeMeta dtype) {
    set_storage_keep_dtype(std::move(storage));
    form_.dtype = dtype.toScalarType();
  }
  /// A pointer to the first element; null for an empty tensor and on devices without memory.
  const void* data() const {
    const Storage& memory = storage();
    return is_empty() ? nullptr : at_offset(static_cast<const char*>(memory.data()));
  }
  /// The same for writing; throws for memory that came from outside as read-only.
  void* mutable_data() {
    const Storage& memory = storage();
    return is_empty() ? nullptr : at_offset(static_cast<char*>(memory.mutable_data()));
  }
  template <class T>
  const T* data_dtype_initialized() const {
    check_dtype(CppTypeToScalarType<std::remove_const_t<T>>::value);
    return static_cast<const T*>(data());
  }
  template <class T>
  T* mutable_data_dtype_initialized() {
    check_dtype(CppTypeToScalarType<T>::value);
    return static_cast<T*>(mutable_data());
  }
  /// Frees the storage and other resources when only weak references remain.
  void release_resources() override;

  // ---- in-place changes
  /// The counter that all views share; created when it is asked for.
  VariableVersion version_counter() const;
  void set_version_counter(const VariableVersion& version_counter);
  uint32_t current_version() const {
    if (C10_UNLIKELY(is_inference())) throw_no_version();
    return counted_version();
  }
  void set_current_version(int64_t version);
  /// `writer` is the operator that wrote to the memory; errors about modified tensors name it.
  void bump_version(const OperatorEntry* writer = nullptr) {
    if (C10_UNLIKELY(shared_version_ || view_base_)) return bump_shared_version(writer);
    ++version_;
    writer_ = writer;
  }
  /// The operator that wrote last, if known.
  const OperatorEntry* last_writer() const {
    const TensorImpl* const counting = counted_on();
    return counting->shared_version_ ? counting->shared_version_->writer() : counting->writer_;
  }

  // ---- views
  /// Whether autograd tracks the tensor as a view of another.
  bool is_view() const { return view_base_.defined(); }
  /// The tensor that this is a view of; never a view itself. Null for others.
  const intrusive_ptr<TensorImpl>& view_base() const { return view_base_; }
  ViewCreation view_creation() const { return view_creation_; }
  void set_view_creation(ViewCreation creation) { view_creation_ = creation; }
  /// The version at which the view's grad_fn was computed.
  uint32_t view_version() const { return view_version_; }
  void set_view_version(uint32_t version) { view_version_ = version; }
  void set_view_of(intrusive_ptr<TensorImpl> base, ViewCreation creation) {
    view_base_ = std::move(base);
    set_view_created(creation);
  }
  /// The same where the base is held already.
  void set_view_created(ViewCreation creation) {
    view_creation_ = creation;
    view_version_ = counted_version();
  }
  /// Keeps the version counter of its base, but drops the base.
  void clear_view() {
    shared_version_ = version_counter().counter();
    view_base_.reset();
  }

  // ---- autograd
  AutogradMetaInterface* autograd_meta() const { return autograd_meta_; }
  /// Takes ownership.
  void set_autograd_meta(AutogradMetaInterface* meta) {
    if (autograd_meta_ != meta) delete autograd_meta_;
    autograd_meta_ = meta;
  }
  /// A view requires grad when its base does.
  bool requires_grad() const {
    return C10_UNLIKELY(tracking_bits() != 0) &&
           ((autograd_meta_ != nullptr && autograd_meta_->requires_grad()) ||
            (view_base_ && view_base_->requires_grad()));
  }
  /// Zero for most tensors: those that are neither views nor known to autograd.
  uintptr_t tracking_bits() const {
    return reinterpret_cast<uintptr_t>(autograd_meta_) | reinterpret_cast<uintptr_t>(view_base_.get());
  }
  /// Whether autograd may track the tensor or its base.
  bool is_tracked() const {
    return autograd_meta_ != nullptr || (view_base_ && view_base_->autograd_meta_ != nullptr);
  }
  void set_requires_grad(bool requires_grad);
  at::Tensor& mutable_grad();
  const at::Tensor& grad() const;

  // ---- Python
  impl::PyObjectSlot* pyobj_slot() { return &pyobj_slot_; }
  const impl::PyObjectSlot* pyobj_slot() const { return &pyobj_slot_; }

  // ---- flags
  /// A wrapped number: a 0-dim tensor made from a scalar, which counts as one in type promotion.
  bool is_wrapped_number() const { return flag(kWrappedNumber); }
  void set_wrapped_number(bool value) {
    TORCH_INTERNAL_ASSERT(dim() == 0);
    set_flag(kWrappedNumber, value);
  }
  bool allow_tensor_metadata_change() const { return !flag(kNoMetadataChange); }
  void set_allow_tensor_metadata_change(bool value) { set_flag(kNoMetadataChange, !value); }
  // Lazy conjugation and negation don't exist here: these operators compute immediately.
  bool is_conj() const { return false; }
  bool is_neg() const { return false; }
  bool _is_zerotensor() const { return false; }
  bool is_sparse() const { return false; }
  bool is_quantized() const { return false; }
  bool is_nested() const { return false; }
  bool is_mkldnn() const { return false; }

  /// A tensor of the same storage and geometry without autograd's data; it counts versions with
  /// `version_counter`.
  virtual intrusive_ptr<TensorImpl> shallow_copy_and_detach(const VariableVersion& version_counter,
                                                            bool allow_tensor_metadata_change) const;
  /// Takes the storage and geometry of `impl`; keeps its own version counter and autograd data.
  virtual void shallow_copy_from(const intrusive_ptr<TensorImpl>& impl);
  virtual const char* tensorimpl_type_name() const { return "TensorImpl"; }

 protected:
  void copy_tensor_metadata_from(const TensorImpl& source);

 private:
  friend struct at::detail::ViewAccess;  // ATen/ViewUtils.cpp: views are made without the checks of the
                                         // setters

  TensorImpl(Storage&& storage, DispatchKeySet key_set, ScalarType dtype, Device device)
      : storage_(std::move(storage)), key_set_(key_set), form_{dtype, device} {}

  static DispatchKeySet with_autograd_keys(DispatchKeySet key_set) {
    // Dense backends share the functionality bit, so any backend's autograd key is one bit more.
    constexpr DispatchKeySet autograd =
        DispatchKeySet(DispatchKeySet::RAW,
                       DispatchKeySet(DispatchKey::AutogradCPU).raw_repr() & ~uint64_t{full_backend_mask}) |
        inplace_or_view_ks;
    constexpr DispatchKeySet common{DispatchKey::CPU, DispatchKey::CUDA, DispatchKey::Meta,
                                    DispatchKey::PrivateUse1};
    if (C10_UNLIKELY(AutogradState::get_tls_state().inference_mode)) {
      return key_set - autograd_dispatch_keyset_with_ADInplaceOrView;
    }
    if (C10_LIKELY(common.has_all(key_set) && !key_set.empty())) return key_set | autograd;
    return with_autograd_keys_slow(key_set);
  }
  static DispatchKeySet with_autograd_keys_slow(DispatchKeySet key_set);

  static constexpr uint8_t kContiguous = 1, kChannelsLastContiguous = 2, kChannelsLast3dContiguous = 4,
                           kChannelsLast = 8, kChannelsLast3d = 16, kNonOverlappingAndDense = 32,
                           kShapeFlags = 63, kWrappedNumber = 64, kNoMetadataChange = 128;
  bool flag(uint8_t mask) const { return (form_.flags & mask) != 0; }
  void set_flag(uint8_t mask, bool value) {
    form_.flags = static_cast<uint8_t>(value ? form_.flags | mask : form_.flags & ~mask);
  }

  size_t wrap_dim(int64_t d) const {
    return static_cast<size_t>(maybe_wrap_dim(d, dim(), /*wrap_scalar=*/false));
  }
  template <class Byte>
  Byte* at_offset(Byte* base) const {
    return base == nullptr ? nullptr : base + storage_offset_ * static_cast<int64_t>(itemsize());
  }
  void check_dtype(ScalarType expected) const {
    if (C10_UNLIKELY(form_.dtype != expected)) throw_wrong_dtype(expected);
  }
  [[noreturn]] C10_COLD void throw_wrong_dtype(ScalarType expected) const;
  [[noreturn]] C10_COLD void throw_no_storage() const;
  [[noreturn]] C10_COLD void throw_no_version() const;
  /// The tensor with the version counter: for a view its base, unless it was given one to share.
  const TensorImpl* counted_on() const { return shared_version_ || !view_base_ ? this : view_base_.get(); }
  C10_COLD C10_NOINLINE void share_version() const;
  C10_NOINLINE void bump_shared_version(const OperatorEntry* writer);
  uint32_t counted_version() const {
    const TensorImpl* const counting = counted_on();
    return counting->shared_version_ ? counting->shared_version_->version_.load(std::memory_order_relaxed)
                                     : counting->version_;
  }
  TensorImpl* counted_on() { return const_cast<TensorImpl*>(std::as_const(*this).counted_on()); }
  uint8_t compute_shape_flags() const;
  bool compute_contiguous(MemoryFormat format) const;
  bool compute_non_overlapping_and_dense() const;

  Storage storage_;
  AutogradMetaInterface* autograd_meta_ = nullptr;
  // Allocated when another tensor first shares it; until then version_ counts. Mutable: const tensors are
  // shared.
  mutable intrusive_ptr<VersionCounter> shared_version_;
  intrusive_ptr<TensorImpl> view_base_;
  impl::PyObjectSlot pyobj_slot_;
  DispatchKeySet key_set_;
  int64_t storage_offset_ = 0;
  int64_t numel_ = 0;
  impl::SizesAndStrides sizes_and_strides_;
  const OperatorEntry* writer_ = nullptr;
  uint32_t view_version_ = 0;
  ViewCreation view_creation_ = ViewCreation::Recorded;
  uint32_t version_ = 0;
  struct Form {
    ScalarType dtype;
    Device device;
    uint8_t flags = kContiguous | kNonOverlappingAndDense;
  };
  static_assert(sizeof(Form) == sizeof(uint32_t));
  Form form_;
};

namespace impl {
/// The keys of a dense tensor on this device type, without autograd's.
C10_API DispatchKeySet dense_key_set(DeviceType type);
}  // namespace impl

}  // namespace c10::inline C10_ABI
