// TensorBase: a Tensor without the operators' methods, so without generated code. What core and kernels pass
// around.
#pragma once

#include <ATen/core/TensorAccessor.h>
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Storage.h>
#include <c10/core/Stream.h>
#include <c10/core/SymInt.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/TensorOptions.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/MaybeOwned.h>
#include <c10/util/intrusive_ptr.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace at::inline C10_ABI {

class TORCH_API TensorBase {
 public:
  struct unsafe_borrow_t {
    explicit unsafe_borrow_t() = default;
  };
  using Impl = c10::intrusive_ptr<TensorImpl, UndefinedTensorImpl>;

  /// An undefined tensor.
  TensorBase() = default;
  explicit TensorBase(Impl impl) : impl_(std::move(impl)) {}
  template <class T>
    requires(std::is_base_of_v<TensorImpl, T>)
  explicit TensorBase(c10::intrusive_ptr<T> impl) : impl_(std::move(impl)) {}
  TensorBase(const TensorBase&) = default;
  TensorBase(TensorBase&&) noexcept = default;
  ~TensorBase() noexcept {}
  TensorBase& operator=(const TensorBase&) & = default;
  TensorBase& operator=(TensorBase&&) & noexcept = default;
  // `f() = x` would change nothing but a temporary.
  TensorBase& operator=(const TensorBase&) && = delete;
  TensorBase& operator=(TensorBase&&) && noexcept = delete;

  // ---- the handle
  bool defined() const { return impl_; }
  void reset() { impl_.reset(); }
  TensorImpl* unsafeGetTensorImpl() const { return impl_.get(); }
  TensorImpl* unsafeReleaseTensorImpl() { return impl_.release(); }
  const Impl& getIntrusivePtr() const { return impl_; }
  Impl unsafeReleaseIntrusivePtr() { return std::move(impl_); }
  static TensorBase wrap_tensor_impl(Impl impl) { return TensorBase(std::move(impl)); }
  bool is_same(const TensorBase& other) const noexcept { return impl_ == other.impl_; }
  size_t use_count() const noexcept { return impl_.use_count(); }
  size_t weak_use_count() const noexcept { return impl_.weak_use_count(); }
  bool is_uniquely_owned() const noexcept { return impl_.is_uniquely_owned(); }

  // ---- shape
  int64_t dim() const { return impl_->dim(); }
  int64_t ndimension() const { return dim(); }
  IntArrayRef sizes() const { return impl_->sizes(); }
  IntArrayRef strides() const { return impl_->strides(); }
  c10::SymIntArrayRef sym_sizes() const { return impl_->sym_sizes(); }
  c10::SymIntArrayRef sym_strides() const { return impl_->sym_strides(); }
  /// Size of a dimension in [-dim(), dim()); IndexError otherwise.
  int64_t size(int64_t d) const { return impl_->size(d); }
  int64_t stride(int64_t d) const { return impl_->stride(d); }
  c10::SymInt sym_size(int64_t d) const { return impl_->sym_size(d); }
  c10::SymInt sym_stride(int64_t d) const { return impl_->sym_stride(d); }
  int64_t numel() const { return impl_->numel(); }
  c10::SymInt sym_numel() const { return impl_->sym_numel(); }
  int64_t storage_offset() const { return impl_->storage_offset(); }
  c10::SymInt sym_storage_offset() const { return impl_->sym_storage_offset(); }
  size_t itemsize() const { return impl_->itemsize(); }
  int64_t element_size() const { return static_cast<int64_t>(itemsize()); }
  /// The bytes of its elements, not those of its storage.
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  c10::SymInt sym_nbytes() const { return static_cast<int64_t>(nbytes()); }
  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const {
    return impl_->is_contiguous(format);
  }
  bool is_contiguous_or_false(MemoryFormat format = MemoryFormat::Contiguous) const {
    return is_contiguous(format);
  }
  bool is_non_overlapping_and_dense() const { return impl_->is_non_overlapping_and_dense(); }
  /// The memory format for a result of this tensor's shape.
  MemoryFormat suggest_memory_format(bool channels_last_strides_exact_match = false) const;

  // ---- element type, device, layout
  ScalarType scalar_type() const { return impl_->scalar_type(); }
  caffe2::TypeMeta dtype() const { return impl_->dtype(); }
  Device device() const { return impl_->device(); }
  DeviceIndex get_device() const { return impl_->get_device(); }
  Layout layout() const { return impl_->layout(); }
  DispatchKeySet key_set() const { return impl_->key_set(); }
  TensorOptions options() const { return TensorOptions().dtype(dtype()).device(device()).layout(layout()); }
  bool is_complex() const { return isComplexType(scalar_type()); }
  bool is_floating_point() const { return isFloatingType(scalar_type()); }
  bool is_signed() const { return isSignedType(scalar_type()); }
  bool is_cpu() const { return impl_->is_cpu(); }
  bool is_cuda() const { return impl_->is_cuda(); }
  bool is_meta() const { return impl_->is_meta(); }
  /// Whether the elements lie in page-locked host memory, which devices can access.
  bool is_pinned() const;
  /// `stream` uses the memory, which isn't reused before the stream's present work is done.
  void record_stream(const c10::Stream& stream) const;
  bool is_privateuseone() const { return impl_->is_privateuseone(); }
  bool is_xla() const { return device().is_xla(); }
  bool is_xpu() const { return device().is_xpu(); }
  bool is_mps() const { return device().is_mps(); }
  bool is_hpu() const { return device().is_hpu(); }
  bool is_inference() const { return impl_->is_inference(); }
  bool is_conj() const { return false; }
  bool is_neg() const { return false; }
  bool _is_zerotensor() const { return false; }
  bool is_sparse() const { return false; }
  bool is_sparse_csr() const { return false; }
  bool is_quantized() const { return false; }
  bool is_nested() const { return false; }
  bool is_mkldnn() const { return false; }

  // ---- memory
  bool has_storage() const { return defined() && impl_->has_storage(); }
  const Storage& storage() const { return impl_->storage(); }
  bool is_alias_of(const TensorBase& other) const { return storage().is_alias_of(other.storage()); }
  /// A pointer to the first element. The typed ones throw for another element type, the mutable ones for
  /// read-only memory.
  const void* const_data_ptr() const { return impl_->data(); }
  void* mutable_data_ptr() const { return impl_->mutable_data(); }
  void* data_ptr() const { return mutable_data_ptr(); }
  template <class T>
  const std::remove_const_t<T>* const_data_ptr() const {
    return impl_->template data_dtype_initialized<std::remove_const_t<T>>();
  }
  template <class T>
  T* mutable_data_ptr() const {
    return impl_->template mutable_data_dtype_initialized<T>();
  }
  template <class T>
  T* data_ptr() const {
    if constexpr (std::is_const_v<T>) {
      return const_data_ptr<T>();
    } else {
      return mutable_data_ptr<T>();
    }
  }

  /// N-dimensional access to elements on the host; the tensor must outlive it.
  template <class T, size_t N>
  TensorAccessor<T, N> accessor() const& {
    static_assert(N > 0, "accessor is used for indexing tensor, for scalars use *data_ptr<T>()");
    TORCH_CHECK(dim() == N, "TensorAccessor expected ", N, " dims but tensor has ", dim());
    return TensorAccessor<T, N>(data_ptr<T>(), sizes().data(), strides().data());
  }
  template <class T, size_t N>
  TensorAccessor<T, N> accessor() && = delete;
  /// The same with its own copy of sizes and strides, to be passed to a device kernel.
  template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
  GenericPackedTensorAccessor<T, N, PtrTraits, index_t> generic_packed_accessor() const& {
    static_assert(N > 0, "accessor is used for indexing tensor, for scalars use *data_ptr<T>()");
    TORCH_CHECK(dim() == N, "TensorAccessor expected ", N, " dims but tensor has ", dim());
    using Ptr = typename PtrTraits<T>::PtrType;
    return GenericPackedTensorAccessor<T, N, PtrTraits, index_t>(static_cast<Ptr>(data_ptr<T>()),
                                                                 sizes().data(), strides().data());
  }
  template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() const& {
    TORCH_CHECK(numel() <= std::numeric_limits<int32_t>::max(),
                "numel needs to be smaller than int32_t max; otherwise, please use packed_accessor64");
    return generic_packed_accessor<T, N, PtrTraits, int32_t>();
  }
  template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() const& {
    return generic_packed_accessor<T, N, PtrTraits, int64_t>();
  }

  // ---- autograd
  bool requires_grad() const { return impl_->requires_grad(); }
  const TensorBase& set_requires_grad(bool requires_grad) const {
    impl_->set_requires_grad(requires_grad);
    return *this;
  }
  /// How often the memory was changed in place.
  int64_t _version() const { return impl_->current_version(); }
  bool is_view() const { return impl_->is_view(); }
  /// The tensor that this is a view of, never a view itself; an error if it is none.
  TensorBase _base() const;

  /// "CPUFloatType", "CUDALongType", ...; "UndefinedType" for an undefined tensor.
  std::string toString() const;

 protected:
  friend MaybeOwnedTraits<TensorBase>;
  // A handle without a reference of its own; who makes it must release it before it is destroyed.
  explicit TensorBase(unsafe_borrow_t, const TensorBase& from) : impl_(Impl::reclaim(from.impl_.get())) {}

  Impl impl_;
};

/// "Tensor(Float, [2, 3], cpu)": what error messages show of a tensor.
TORCH_API void append_to(std::string& out, const TensorBase& tensor);

inline DeviceIndex get_device(const TensorBase& self) { return self.get_device(); }

namespace detail {
template <class T, class... Args>
TensorBase make_tensor_base(Args&&... args) {
  return TensorBase(c10::make_intrusive<T>(std::forward<Args>(args)...));
}
}  // namespace detail

}  // namespace at::inline C10_ABI

namespace c10::inline C10_ABI {

// A borrowed handle shares the pointer without counting.
template <>
struct MaybeOwnedTraits<at::TensorBase> {
  using owned_type = at::TensorBase;
  using borrow_type = at::TensorBase;
  static borrow_type createBorrow(const owned_type& from) {
    return borrow_type(borrow_type::unsafe_borrow_t{}, from);
  }
  static void assignBorrow(borrow_type& lhs, const borrow_type& rhs) {
    lhs.unsafeReleaseTensorImpl();
    lhs = borrow_type(borrow_type::unsafe_borrow_t{}, rhs);
  }
  static void destroyBorrow(borrow_type& borrow) { borrow.unsafeReleaseTensorImpl(); }
  static const owned_type& referenceFromBorrow(const borrow_type& borrow) { return borrow; }
  static const owned_type* pointerFromBorrow(const borrow_type& borrow) { return &borrow; }
};

}  // namespace c10::inline C10_ABI
