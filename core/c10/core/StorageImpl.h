// The memory of tensors: one block on one device, shared by all views of it.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/SymInt.h>
#include <c10/core/impl/SmallBlockCache.h>
#include <c10/macros/Macros.h>
#include <c10/util/intrusive_ptr.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace c10::inline C10_ABI {

class C10_API StorageImpl final : public intrusive_ptr_target {
 public:
  struct use_byte_size_t {};

  /// Takes ownership of memory. A resizable storage needs the allocator to grow with.
  StorageImpl(use_byte_size_t, size_t nbytes, DataPtr data_ptr, Allocator* allocator, bool resizable)
      : data_ptr_(std::move(data_ptr)), nbytes_(nbytes), allocator_(allocator), resizable_(resizable) {}
  /// Allocates `nbytes` bytes.
  StorageImpl(use_byte_size_t, size_t nbytes, Allocator* allocator, bool resizable)
      : StorageImpl(use_byte_size_t(), nbytes, allocator->allocate(nbytes), allocator, resizable) {}
  StorageImpl(const StorageImpl&) = delete;
  StorageImpl& operator=(const StorageImpl&) = delete;
  ~StorageImpl() override = default;

  /// A resizable storage of host memory, 1 <= nbytes <= kMaxInlineBytes, in one block with the object.
  static intrusive_ptr<StorageImpl> with_inline_data(size_t nbytes, Allocator* allocator) {
    const unsigned block_class = impl::block_class_of(kInlineOffset + nbytes);
    return with_inline_data(impl::block_allocate(block_class), block_class, nbytes, allocator);
  }
  /// The same in a block that the caller allocated.
  static intrusive_ptr<StorageImpl> with_inline_data(void* block, unsigned block_class, size_t nbytes,
                                                     Allocator* allocator) {
    return intrusive_ptr<StorageImpl>::unsafe_steal_from_new(::new (block) StorageImpl(
        static_cast<char*>(block) + kInlineOffset, nbytes, allocator, static_cast<uint8_t>(block_class)));
  }
  static constexpr size_t kInlineOffset = 128;
  static constexpr size_t kMaxInlineBytes = kExactBlocks ? 0 : impl::kSmallBlockMax - kInlineOffset;

  static void* operator new(size_t nbytes) { return impl::small_block_allocate(nbytes); }
  static void* operator new(size_t, void* place) noexcept { return place; }
  static void operator delete(void* block) noexcept { impl::small_block_free(block, sizeof(StorageImpl)); }
  static void operator delete(StorageImpl* self, std::destroying_delete_t) {
    const unsigned block_class = self->block_class_;
    self->~StorageImpl();
    impl::block_free(self, block_class);
  }

  size_t nbytes() const { return nbytes_; }
  SymInt sym_nbytes() const { return SymInt(static_cast<int64_t>(nbytes_)); }
  void set_nbytes(size_t nbytes) { nbytes_ = nbytes; }
  bool resizable() const { return resizable_; }
  void set_resizable(bool resizable) { resizable_ = resizable; }

  const DataPtr& data_ptr() const { return data_ptr_; }
  DataPtr& mutable_data_ptr() {
    check_writable();
    return data_ptr_;
  }
  DataPtr& _mutable_data_ptr_no_checks() { return data_ptr_; }
  const void* data() const { return data_ptr_.get(); }
  void* mutable_data() {
    check_writable();
    return data_ptr_.get();
  }
  /// Returns the previous one, which may be kept longer than this object.
  DataPtr set_data_ptr(DataPtr&& data_ptr) {
    if (has_inline_data()) move_inline_data_out();
    return std::exchange(data_ptr_, std::move(data_ptr));
  }
  void set_data_ptr_noswap(DataPtr&& data_ptr) { data_ptr_ = std::move(data_ptr); }

  Device device() const { return data_ptr_.device(); }
  DeviceType device_type() const { return data_ptr_.device().type(); }
  Allocator* allocator() const { return allocator_; }
  void set_allocator(Allocator* allocator) { allocator_ = allocator; }

  /// Memory from outside that is read-only: kernels that would write to it get an error.
  bool read_only() const { return read_only_; }
  void set_read_only(bool read_only) { read_only_ = read_only; }
  /// Memory that no allocator of this library owns (DLPack, NumPy, from_blob).
  bool received_external() const { return external_; }
  void set_received_external(bool external) { external_ = external; }

 private:
  StorageImpl(void* data, size_t nbytes, Allocator* allocator, uint8_t block_class)
      : data_ptr_(data, Device(DeviceType::CPU)),
        nbytes_(nbytes),
        allocator_(allocator),
        resizable_(true),
        block_class_(block_class) {}
  bool has_inline_data() const {
    return data_ptr_.get() == reinterpret_cast<const char*>(this) + kInlineOffset &&
           block_class_ > impl::block_class_of(sizeof(StorageImpl));
  }
  void move_inline_data_out();
  void release_resources() override { data_ptr_.clear(); }
  void check_writable() const {
    if (C10_UNLIKELY(read_only_)) throw_read_only();
  }
  [[noreturn]] C10_COLD static void throw_read_only();

  DataPtr data_ptr_;
  size_t nbytes_;
  Allocator* allocator_;
  bool resizable_;
  bool read_only_ = false;
  bool external_ = false;
  uint8_t block_class_ = impl::block_class_of(sizeof(StorageImpl));  // of the block that contains this object
};
static_assert(sizeof(StorageImpl) <= StorageImpl::kInlineOffset);

}  // namespace c10::inline C10_ABI
