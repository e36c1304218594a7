// A shared handle to a StorageImpl.
#pragma once

#include <c10/core/StorageImpl.h>

namespace c10::inline C10_ABI {

struct Storage {
  using use_byte_size_t = StorageImpl::use_byte_size_t;

  Storage() = default;
  Storage(intrusive_ptr<StorageImpl> impl) : impl_(std::move(impl)) {}
  Storage(use_byte_size_t tag, size_t nbytes, Allocator* allocator, bool resizable = false)
      : impl_(make_intrusive<StorageImpl>(tag, nbytes, allocator, resizable)) {}
  Storage(use_byte_size_t tag, size_t nbytes, DataPtr data_ptr, Allocator* allocator = nullptr,
          bool resizable = false)
      : impl_(make_intrusive<StorageImpl>(tag, nbytes, std::move(data_ptr), allocator, resizable)) {}

  void set_nbytes(size_t nbytes) const { impl_->set_nbytes(nbytes); }
  bool resizable() const { return impl_->resizable(); }
  size_t nbytes() const { return impl_->nbytes(); }
  SymInt sym_nbytes() const { return impl_->sym_nbytes(); }
  const void* data() const { return impl_->data(); }
  void* mutable_data() const { return impl_->mutable_data(); }
  const DataPtr& data_ptr() const { return impl_->data_ptr(); }
  DataPtr& mutable_data_ptr() const { return impl_->mutable_data_ptr(); }
  DataPtr set_data_ptr(DataPtr&& data_ptr) const { return impl_->set_data_ptr(std::move(data_ptr)); }
  void set_data_ptr_noswap(DataPtr&& data_ptr) const { impl_->set_data_ptr_noswap(std::move(data_ptr)); }
  DeviceType device_type() const { return impl_->device_type(); }
  Allocator* allocator() const { return impl_->allocator(); }
  Device device() const { return impl_->device(); }

  StorageImpl* unsafeGetStorageImpl() const noexcept { return impl_.get(); }
  StorageImpl* unsafeReleaseStorageImpl() { return impl_.release(); }
  intrusive_ptr<StorageImpl> getIntrusivePtr() const { return impl_; }
  operator bool() const { return impl_; }
  size_t use_count() const { return impl_.use_count(); }
  bool unique() const { return impl_.unique(); }
  bool is_alias_of(const Storage& other) const { return impl_ == other.impl_; }

 private:
  intrusive_ptr<StorageImpl> impl_;
};

}  // namespace c10::inline C10_ABI
