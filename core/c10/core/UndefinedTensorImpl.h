// The impl of undefined tensors: a single object without keys, sizes or storage.
#pragma once

#include <c10/core/TensorImpl.h>

namespace c10::inline C10_ABI {

class C10_API UndefinedTensorImpl final : public TensorImpl {
 public:
  // During static initialisation only the address is used, before the object exists.
  static constexpr TensorImpl* singleton() { return &singleton_; }

  intrusive_ptr<TensorImpl> shallow_copy_and_detach(const VariableVersion&, bool) const override;
  void shallow_copy_from(const intrusive_ptr<TensorImpl>&) override;
  const char* tensorimpl_type_name() const override { return "UndefinedTensorImpl"; }

 private:
  UndefinedTensorImpl();
  static UndefinedTensorImpl singleton_;
};

}  // namespace c10::inline C10_ABI
