// The iteration planner: given the operands of an elementwise operator or a reduction it computes the
// broadcast shape, the common dtype, the outputs to allocate and a loop nest of as few dimensions as
// possible. It is free of any device: CPU kernels run the plan with for_each (cpu/Loops.h), CUDA kernels read
// shape(), strides() and data_ptr(). Conventions: outputs come first among the operands; dimension 0 of the
// plan is the fastest moving one; strides are bytes.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/Range.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/DynamicCast.h>
#include <c10/util/FunctionRef.h>
#include <c10/util/MaybeOwned.h>
#include <c10/util/SmallVector.h>
#include <c10/util/irange.h>

#include <bitset>
#include <optional>
#include <type_traits>
#include <utility>

namespace at::inline C10_ABI {

struct TensorIteratorBase;
struct TensorIterator;
class TensorIteratorConfig;
struct SplitUntil32Bit;

struct TORCH_API OperandInfo {
  using StrideVector = SmallVector<int64_t, 6>;

  OperandInfo() = default;
  explicit OperandInfo(c10::MaybeOwned<TensorBase>&& t);
  // Borrows a tensor whose properties are known.
  OperandInfo(const TensorBase& t, ScalarType dtype, Device device, bool is_output)
      : device(device),
        target_dtype(dtype),
        current_dtype(dtype),
        is_output(is_output),
        is_const(!is_output),
        tensor_base_(c10::MaybeOwned<TensorBase>::borrowed(t)) {}
  OperandInfo(const OperandInfo& other);
  OperandInfo& operator=(const OperandInfo& other);
  OperandInfo(OperandInfo&& other) noexcept;
  OperandInfo& operator=(OperandInfo&& other) noexcept;
  ~OperandInfo() = default;

  void* data = nullptr;
  StrideVector stride_bytes;
  // target_dtype: what the loop computes in, or what an output will be allocated with; current_dtype: the
  // tensor's.
  std::optional<Device> device = std::nullopt;
  ScalarType target_dtype = ScalarType::Undefined;
  ScalarType current_dtype = ScalarType::Undefined;
  bool is_output = false;
  bool will_resize = false;
  bool is_read_write = false;
  bool is_const = false;

  bool is_device_defined() const { return device.has_value(); }
  bool is_type_defined() const { return target_dtype != ScalarType::Undefined; }
  TensorOptions options() const { return TensorOptions(target_dtype).device(device); }

  const TensorBase& tensor_base() const { return *tensor_base_; }
  const TensorBase& original_tensor_base() const { return *original_tensor_base_; }
  // at::Tensor adds no data to TensorBase, so one is as good as the other.
  const Tensor& tensor() const { return reinterpret_cast<const Tensor&>(*tensor_base_); }
  const Tensor& original_tensor() const { return reinterpret_cast<const Tensor&>(*original_tensor_base_); }

  void tensor(c10::MaybeOwned<TensorBase>&& t) { tensor_base_ = std::move(t); }
  // The loop works on a temporary; the caller's tensor becomes original_tensor().
  void exchange_tensor(c10::MaybeOwned<TensorBase>&& new_tensor);
  void restore_original_tensor();
  // Stores one element, converted to `dtype`, inside the operand: a CPU scalar then needs no temporary
  // tensor.
  void hold_scalar(ScalarType dtype);
  // Converts the only element of `from` to `dtype` and stores it at `to`.
  static void convert_element(const TensorBase& from, ScalarType dtype, void* to);
  bool holds_scalar() const { return data == static_cast<const void*>(scalar_); }

 private:
  c10::MaybeOwned<TensorBase> tensor_base_;
  c10::MaybeOwned<TensorBase> original_tensor_base_;
  alignas(16) char scalar_[16];
};

struct TORCH_API TensorIteratorBase : public impl::MetaBase {
  using DimMask = std::bitset<64>;
  using PtrVector = SmallVector<char*, 4>;
  using StrideVector = SmallVector<int64_t, 6>;
  // data: one pointer per operand. strides: one per operand for the inner loop, then one each for the outer
  // loop.
  using loop2d_t = c10::function_ref<void(char** data, const int64_t* strides, int64_t size0, int64_t size1)>;
  using loop1d_t = c10::function_ref<void(char** data, const int64_t* strides, int64_t size)>;
  using loop_subiter_t = c10::function_ref<void(TensorIteratorBase& subiter)>;

  // The fast path: a contiguous output, and one or two contiguous inputs of its shape, or a scalar. Loops
  // need no more than this; the general form (operands, shape, strides) is built from it only when it is
  // asked for.
  struct FastPath {
    char* data(int arg) const {
      return arg == 2 && scalar_is_cast ? const_cast<char*>(scalar) : pointers[arg];
    }
    const TensorBase* tensors[3];
    char* pointers[3];
    int64_t numel;
    int num_operands = 0;  // 0: the general form is in use
    ScalarType output_dtype;
    bool last_is_scalar;  // the last input is one value for all elements
    bool scalar_is_cast;  // `scalar` is that value, in the common dtype
    alignas(16) char scalar[16];
  };

  TensorIteratorBase() = default;
  TensorIteratorBase(const TensorIteratorBase&);
  TensorIteratorBase(TensorIteratorBase&&) noexcept;
  TensorIteratorBase& operator=(const TensorIteratorBase&);
  TensorIteratorBase& operator=(TensorIteratorBase&&) noexcept;
  ~TensorIteratorBase() override = default;

  void build(TensorIteratorConfig& config);

  bool is_fast_path() const { return fast_path_.num_operands != 0; }
  const FastPath& fast_path() const { return fast_path_; }

  // ---- the plan
  int ndim() const { return static_cast<int>(general().shape.size()); }
  IntArrayRef shape() const { return general().shape; }
  int64_t numel() const {
    if (is_fast_path()) {
      return fast_path_.numel;
    }
    int64_t n = 1;
    for (int64_t size : shape()) {
      n *= size;
    }
    return n;
  }
  int ntensors() const {
    return is_fast_path() ? fast_path_.num_operands : static_cast<int>(general().operands.size());
  }
  int noutputs() const { return num_outputs_; }
  int ninputs() const { return ntensors() - noutputs(); }
  IntArrayRef view_offsets() const { return general().view_offsets; }
  // Of a reduction: elements of the output, and how many dimensions are reduced.
  int64_t num_output_elements() const;
  int num_reduce_dims() const;
  bool is_dim_reduced(int dim) const;
  // At most one dimension, whatever the strides.
  bool is_trivial_1d() const { return is_fast_path() || ndim() <= 1; }
  bool is_contiguous() const;
  bool has_contiguous_first_dim() const;

  IntArrayRef strides(int64_t arg) const { return general().operands[arg].stride_bytes; }
  void* data_ptr(int64_t arg) const {
    return is_fast_path() ? fast_path_.data(static_cast<int>(arg)) : general_->operands[arg].data;
  }
  ScalarType dtype(int64_t arg = 0) const {
    return !is_fast_path() ? general_->operands[arg].current_dtype
           : arg == 0      ? fast_path_.output_dtype
                           : common_dtype_;
  }
  ScalarType common_dtype() const {
    TORCH_INTERNAL_ASSERT(common_dtype_ != ScalarType::Undefined, "this iteration has no common dtype");
    return common_dtype_;
  }
  std::optional<ScalarType> maybe_common_dtype() const {
    return common_dtype_ == ScalarType::Undefined ? std::nullopt : std::optional<ScalarType>(common_dtype_);
  }
  ScalarType input_dtype(int64_t arg = 0) const {
    return is_fast_path() ? common_dtype_ : general_->operands[num_outputs_ + arg].current_dtype;
  }
  Device device(int64_t arg = 0) const {
    return is_fast_path() ? common_device_ : general_->operands[arg].device.value();
  }
  c10::DeviceType device_type(int64_t arg = 0) const { return device(arg).type(); }
  int64_t element_size(int64_t arg) const { return static_cast<int64_t>(c10::elementSize(dtype(arg))); }
  bool is_scalar(int64_t arg) const { return tensor_base(arg).numel() == 1; }
  bool is_cpu_scalar(int64_t arg) const { return is_scalar(arg) && device(arg).is_cpu(); }

  const TensorBase& tensor_base(int64_t arg) const {
    return is_fast_path() ? *fast_path_.tensors[arg] : general_->operands[arg].tensor_base();
  }
  const Tensor& tensor(int64_t arg) const { return reinterpret_cast<const Tensor&>(tensor_base(arg)); }
  const TensorBase& output_base(int64_t arg = 0) const { return tensor_base(arg); }
  const Tensor& output(int64_t arg = 0) const { return tensor(arg); }
  const TensorBase& input_base(int64_t arg = 0) const { return tensor_base(num_outputs_ + arg); }
  const Tensor& input(int64_t arg = 0) const { return tensor(num_outputs_ + arg); }
  const OperandInfo& operand(int arg = 0) const { return general().operands[arg]; }
  OperandInfo& operand(int arg = 0) { return general().operands[arg]; }

  template <typename T>
  T scalar_value(int64_t arg) {
    auto& op = operand(static_cast<int>(arg));
    const auto stored = op.holds_scalar() ? op.current_dtype : op.tensor_base().scalar_type();
    return c10::fetch_and_cast<T>(stored, op.data);
  }
  // The value before it was cast to the common dtype.
  template <typename T>
  T original_scalar_value(int64_t arg) {
    const auto& original = general().operands[arg].original_tensor_base();
    if (original.defined()) {
      return c10::fetch_and_cast<T>(original.scalar_type(), original.const_data_ptr());
    }
    const auto& given = general_->operands[arg].tensor_base();
    return c10::fetch_and_cast<T>(given.scalar_type(), given.const_data_ptr());
  }

  // ---- running it
  void for_each(loop2d_t loop, int64_t grain_size = internal::GRAIN_SIZE);
  void serial_for_each(loop2d_t loop, Range range) const;
  // Reduces over all dimensions; threads share out the output's elements or, of a full reduction, slices of
  // the input.
  void parallel_reduce(loop2d_t loop);
  // Calls `loop` once per output element, with an iteration over the elements that are reduced to it.
  void foreach_reduced_elt(loop_subiter_t loop, bool parallelize = true);
  // One-dimensional loops are recognised by their three arguments.
  template <typename F, std::enable_if_t<std::is_invocable_v<F&, char**, const int64_t*, int64_t>, int> = 0>
  void for_each(F loop, int64_t grain_size = internal::GRAIN_SIZE) {
    for_each(loop2d_t(loop_2d_from_1d(loop)), grain_size);
  }
  template <typename F, std::enable_if_t<std::is_invocable_v<F&, char**, const int64_t*, int64_t>, int> = 0>
  void serial_for_each(F loop, Range range) const {
    serial_for_each(loop2d_t(loop_2d_from_1d(loop)), range);
  }
  // Copies temporary outputs back to the caller's tensors. Device kernels end with it.
  void cast_outputs() {
    if (C10_UNLIKELY(has_temporary_outputs_)) {
      copy_temporary_outputs();
    }
  }

  StrideVector get_dim_strides(int dim) const;
  StrideVector get_inner_strides() const { return get_dim_strides(0); }
  // Strides of all dimensions in the order loop2d_t wants, padded to two dimensions.
  StrideVector get_strides() const;
  PtrVector get_base_ptrs() const;

  // ---- splitting it
  void remove_operand(int64_t arg);
  void narrow(int dim, int64_t start, int64_t size);
  void select_all_keeping_dim(int start_dim, IntArrayRef starts);
  void unsafe_replace_operand(int64_t arg, void* data) { general().operands[arg].data = data; }
  void _unsafe_set_arg_strides(const int64_t arg, IntArrayRef strides) {
    general().operands[arg].stride_bytes.assign(strides.begin(), strides.end());
  }
  void _unsafe_set_arg_data(const int64_t arg, void* data) { general().operands[arg].data = data; }
  // Keeps the second half, and returns the first.
  TensorIterator split(int dim);
  int get_dim_to_split() const;
  bool can_use_32bit_indexing() const;
  SplitUntil32Bit with_32bit_indexing() const;
  // Of a part of a reduction that was split along a reduced dimension: later parts add to the results of
  // earlier ones.
  bool should_accumulate() const { return accumulate_; }
  bool is_final_output() const { return final_output_; }

  DimVector invert_perm(IntArrayRef input) const;
  StrideVector compatible_stride(int64_t element_size) const;
  DimVector apply_perm_and_mul(IntArrayRef input, int mul) const;

  void set_output_raw_strided(int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override;

  // ---- ready-made plans. `borrowing`: the tensors outlive this object and are not retained.
#define ATEN_NO_TEMPORARIES_BINARY(name)                                          \
  void name(TensorBase&& out, const TensorBase& a, const TensorBase& b) = delete; \
  void name(const TensorBase& out, TensorBase&& a, const TensorBase& b) = delete; \
  void name(const TensorBase& out, const TensorBase& a, TensorBase&& b) = delete; \
  void name(TensorBase&& out, TensorBase&& a, const TensorBase& b) = delete;      \
  void name(TensorBase&& out, const TensorBase& a, TensorBase&& b) = delete;      \
  void name(const TensorBase& out, TensorBase&& a, TensorBase&& b) = delete;      \
  void name(TensorBase&& out, TensorBase&& a, TensorBase&& b) = delete
#define ATEN_NO_TEMPORARIES_UNARY(name)                      \
  void name(TensorBase&& out, const TensorBase& a) = delete; \
  void name(const TensorBase& out, TensorBase&& a) = delete; \
  void name(TensorBase&& out, TensorBase&& a) = delete

  void build_binary_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  void build_borrowing_binary_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  ATEN_NO_TEMPORARIES_BINARY(build_borrowing_binary_op);
  // Integers are promoted to the default floating dtype.
  void build_binary_float_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  void build_borrowing_binary_float_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  ATEN_NO_TEMPORARIES_BINARY(build_borrowing_binary_float_op);
  // Inputs are promoted together; the output is bool, or what the caller gave.
  void build_comparison_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  void build_borrowing_comparison_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  ATEN_NO_TEMPORARIES_BINARY(build_borrowing_comparison_op);
  void build_borrowing_except_last_argument_comparison_op(const TensorBase& out, const TensorBase& a,
                                                          const TensorBase& b);
  void build_unary_op(const TensorBase& out, const TensorBase& a);
  void build_borrowing_unary_op(const TensorBase& out, const TensorBase& a);
  ATEN_NO_TEMPORARIES_UNARY(build_borrowing_unary_op);
  void build_output_borrowing_argument_owning_unary_op(const TensorBase& out, const TensorBase& a);
  void build_unary_float_op(const TensorBase& out, const TensorBase& a);
  void build_borrowing_unary_float_op(const TensorBase& out, const TensorBase& a);
  ATEN_NO_TEMPORARIES_UNARY(build_borrowing_unary_float_op);
  void build_borrowing_unary_force_boolean_op(const TensorBase& out, const TensorBase& a);
  ATEN_NO_TEMPORARIES_UNARY(build_borrowing_unary_force_boolean_op);
  void build_ternary_op(const TensorBase& out, const TensorBase& a, const TensorBase& b, const TensorBase& c);

#undef ATEN_NO_TEMPORARIES_BINARY
#undef ATEN_NO_TEMPORARIES_UNARY

 protected:
  enum class FastSetupType : uint8_t { NONE, CONTIGUOUS, CHANNELS_LAST, NON_OVERLAPPING_DENSE };
  enum class OutputRule : uint8_t { COMMON, FLOAT, BOOL };

  // Sets up the fast path for one or two inputs of equal shape and dtype; false, with nothing changed, where
  // it doesn't apply.
  bool build_fast_path(OutputRule rule, const TensorBase& out, const TensorBase& a, const TensorBase* b);
  // Allocates the output unless it was given (then it fits), and calls take_fast_path_output. The default
  // falls back to the general form and set_output_raw_strided.
  virtual void set_fast_path_output(const c10::TensorImpl& like, ScalarType dtype);
  bool take_scalar(const TensorBase& a, const TensorBase& b);
  void take_fast_path_output(const TensorBase& output) { fast_path_.tensors[0] = &output; }
  void set_fast_path_pointers(const TensorBase* b);
  // The general form, built when it is first asked for: most calls need only the fast path.
  struct General {
    DimVector shape;
    // perm[i] is the caller's dimension that is dimension i here; empty once dimensions are merged.
    DimVector perm;
    DimVector view_offsets;
    SmallVector<OperandInfo, 4> operands;

    General();
    General(const General&);
    General(General&&) noexcept;
    General& operator=(const General&);
    General& operator=(General&&) noexcept;
    ~General();
  };
  const General& general() const {
    if (C10_UNLIKELY(!general_)) const_cast<TensorIteratorBase*>(this)->expand();
    return *general_;
  }
  General& general() { return const_cast<General&>(std::as_const(*this).general()); }
  void settle() const { static_cast<void>(general()); }
  C10_COLD void expand();

  void populate_operands(TensorIteratorConfig& config);
  void mark_outputs();
  void mark_resize_outputs(const TensorIteratorConfig& config);
  void compute_mem_overlaps(const TensorIteratorConfig& config);
  void compute_shape(const TensorIteratorConfig& config);
  void compute_strides(const TensorIteratorConfig& config);
  void reorder_dimensions();
  void permute_dimensions(IntArrayRef perm);
  void compute_types(const TensorIteratorConfig& config);
  void find_dtypes_and_device(const TensorIteratorConfig& config, struct OperandTypes& found);
  void cast_operand(OperandInfo& op, const TensorIteratorConfig& config);
  ScalarType compute_common_dtype();
  void allocate_or_resize_outputs();
  bool fast_set_up(const TensorIteratorConfig& config);
  FastSetupType compute_fast_setup_type(const TensorIteratorConfig& config);
  void coalesce_dimensions();
  void set_data_pointers();
  void copy_temporary_outputs();

  template <typename F>
  auto loop_2d_from_1d(const F& loop) const {
    return [loop, ntensor = ntensors()](char** base, const int64_t* strides, int64_t size0, int64_t size1) {
      PtrVector data(base, base + ntensor);
      const int64_t* outer_strides = &strides[ntensor];
      for (int64_t i = 0; i < size1; i++) {
        loop(data.data(), strides, size0);
        for (int arg = 0; arg < ntensor; arg++) {
          data[arg] += outer_strides[arg];
        }
      }
    };
  }

  FastPath fast_path_;
  std::optional<General> general_;
  int num_outputs_ = 0;
  Device common_device_ = Device(DeviceType::CPU);
  ScalarType common_dtype_ = ScalarType::Undefined;
  bool has_coalesced_dimensions_ = false;
  bool enforce_linear_iteration_ = false;
  bool all_ops_same_shape_ = false;
  bool all_ops_are_scalars_ = false;
  bool accumulate_ = false;
  bool final_output_ = true;
  bool is_reduction_ = false;
  bool is_meta_ = false;
  bool has_temporary_outputs_ = false;
};

// An iterator that allocates its own undefined outputs.
struct TORCH_API TensorIterator final : public TensorIteratorBase {
  TensorIterator() = default;
  TensorIterator(const TensorIteratorBase& iter) : TensorIteratorBase(iter) {}

  static TensorIterator binary_float_op(TensorBase& out, const TensorBase& a, const TensorBase& b);
  static TensorIterator binary_op(TensorBase& out, const TensorBase& a, const TensorBase& b);
  static TensorIterator borrowing_binary_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  static TensorIterator comparison_op(TensorBase& out, const TensorBase& a, const TensorBase& b);
  static TensorIterator unary_op(TensorBase& out, const TensorBase& a);
  static TensorIterator unary_float_op(TensorBase& out, const TensorBase& a);
  static TensorIterator nullary_op(TensorBase& out);
  static TensorIterator borrowing_nullary_op(const TensorBase& out);
  static TensorIterator borrowing_nullary_op(TensorBase&& out) = delete;
  static TensorIterator reduce_op(TensorBase& out, const TensorBase& a);
  static TensorIterator reduce_op(TensorBase& out1, TensorBase& out2, const TensorBase& a);

  const Tensor& maybe_get_output(int64_t output_idx) override;
  void set_output_raw_strided(int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override;
};

}  // namespace at::inline C10_ABI

#include <ATen/TensorIteratorConfig.h>
