// TensorIteratorConfig, the description of an iteration, and SplitUntil32Bit, which splits one into parts
// that can be indexed with 32 bits. Included by <ATen/TensorIterator.h>.
#pragma once

#include <ATen/TensorIterator.h>

namespace at::inline C10_ABI {

class TORCH_API TensorIteratorConfig final {
 public:
  friend struct TensorIteratorBase;
  friend struct TensorIterator;

  TensorIteratorConfig() = default;
  TensorIteratorConfig(const TensorIteratorConfig&) = delete;
  TensorIteratorConfig& operator=(const TensorIteratorConfig&) = delete;
  TensorIteratorConfig(TensorIteratorConfig&&) = default;
  TensorIteratorConfig& operator=(TensorIteratorConfig&&) = default;
  ~TensorIteratorConfig() = default;

  // All outputs are added before the first input. Borrowed operands must outlive the iterator.
  TensorIteratorConfig& add_output(const TensorBase& output) { return add_borrowed_output(output); }
  TensorIteratorConfig& add_input(const TensorBase& input) { return add_borrowed_input(input); }
  TensorIteratorConfig& add_const_input(const TensorBase& input) { return add_borrowed_const_input(input); }
  TensorIteratorConfig& add_output(TensorBase&& output) = delete;
  TensorIteratorConfig& add_input(TensorBase&& input) = delete;
  TensorIteratorConfig& add_const_input(TensorBase&& input) = delete;
  TensorIteratorConfig& add_owned_output(const TensorBase& output);
  TensorIteratorConfig& add_owned_input(const TensorBase& input);
  TensorIteratorConfig& add_owned_const_input(const TensorBase& input);
  TensorIteratorConfig& add_borrowed_output(const TensorBase& output);
  TensorIteratorConfig& add_borrowed_input(const TensorBase& input);
  TensorIteratorConfig& add_borrowed_const_input(const TensorBase& input);
  TensorIteratorConfig& add_borrowed_output(TensorBase&& output) = delete;
  TensorIteratorConfig& add_borrowed_input(TensorBase&& input) = delete;
  TensorIteratorConfig& add_borrowed_const_input(TensorBase&& input) = delete;

  // Outputs must not overlap themselves nor, partially, an input (default: checked).
  TensorIteratorConfig& set_check_mem_overlap(bool value);
  TensorIteratorConfig& check_all_same_dtype(bool value);
  TensorIteratorConfig& check_all_same_device(bool value);
  // The common dtype must be castable to each output's without a change of category (float to int is one).
  TensorIteratorConfig& enforce_safe_casting_to_output(bool value);
  // Visits elements in the order of their indices, for operators whose result depends on it.
  TensorIteratorConfig& enforce_linear_iteration(bool value = true);
  TensorIteratorConfig& promote_inputs_to_common_dtype(bool value);
  TensorIteratorConfig& promote_integer_inputs_to_float(bool value);
  TensorIteratorConfig& is_reduction(bool value);
  TensorIteratorConfig& allow_cpu_scalars(bool value);
  TensorIteratorConfig& cast_common_dtype_to_outputs(bool value);
  // Loops write `dtype`, whatever the common dtype is: undefined outputs get it, others are cast to
  // (comparisons).
  TensorIteratorConfig& cast_to_outputs_from(ScalarType dtype);
  TensorIteratorConfig& resize_outputs(bool value);
  TensorIteratorConfig& declare_static_dtype_and_device(ScalarType dtype, Device device);
  TensorIteratorConfig& declare_static_dtype(ScalarType dtype);
  TensorIteratorConfig& declare_static_device(Device device);
  TensorIteratorConfig& declare_static_shape(IntArrayRef shape);
  // As above, with the sizes of `squash_dims` set to one.
  TensorIteratorConfig& declare_static_shape(IntArrayRef shape, IntArrayRef squash_dims);

  // Use the returned value in place: `auto iter = config.build();`.
  TensorIterator build() {
    TensorIterator iter;
    iter.build(*this);
    return iter;
  }

 private:
  struct Operand {
    c10::MaybeOwned<TensorBase> tensor;
    bool is_const;
  };
  TensorIteratorConfig& add(c10::MaybeOwned<TensorBase>&& tensor, bool is_output, bool is_const);

  SmallVector<Operand, 4> tensors_;
  int num_outputs_ = 0;
  int num_inputs_ = 0;
  std::optional<DimVector> static_shape_ = std::nullopt;
  std::optional<ScalarType> static_dtype_ = std::nullopt;
  std::optional<Device> static_device_ = std::nullopt;
  ScalarType loop_output_dtype_ = ScalarType::Undefined;  // Undefined: the common dtype
  bool check_mem_overlap_ = true;
  bool allow_cpu_scalars_ = false;
  bool is_reduction_ = false;
  bool resize_outputs_ = true;
  bool check_all_same_dtype_ = true;
  bool check_all_same_device_ = true;
  bool enforce_safe_casting_to_output_ = false;
  bool enforce_linear_iteration_ = false;
  bool promote_inputs_to_common_dtype_ = false;
  bool promote_integer_inputs_to_float_ = false;
  bool cast_common_dtype_to_outputs_ = false;
};

// A range over the parts of an iteration, each small enough to be indexed with 32 bits:
//   for (auto& sub : iter.with_32bit_indexing()) { launch(sub); }
struct TORCH_API SplitUntil32Bit {
  struct TORCH_API iterator {
    iterator() = default;
    explicit iterator(const TensorIteratorBase& iter);

    TensorIterator& operator*() const { return const_cast<TensorIterator&>(pending.back()); }
    iterator& operator++();
    bool operator==(const iterator& other) const { return pending.size() == other.pending.size(); }
    bool operator!=(const iterator& other) const { return !(*this == other); }

   private:
    void split_last();
    SmallVector<TensorIterator, 0> pending;  // the last one comes next
  };

  explicit SplitUntil32Bit(const TensorIteratorBase& iter) : iter_(iter) {}
  iterator begin() const { return iterator(iter_); }
  iterator end() const { return iterator(); }

 private:
  const TensorIteratorBase& iter_;
};

}  // namespace at::inline C10_ABI
