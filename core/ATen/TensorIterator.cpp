// Building an iteration: the order of the steps, and what is neither types (TensorIteratorTypes.cpp),
// geometry (TensorIteratorPlan.cpp) nor loops (TensorIteratorRun.cpp, TensorIteratorReduce.cpp).
#include <ATen/TensorIterator.h>

#include <ATen/Dispatch_v2.h>
#include <ATen/EmptyTensor.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/native/IteratorOps.h>
#include <ATen/native/Resize.h>

#include <cstring>

namespace at::inline C10_ABI {

// ---- operands

OperandInfo::OperandInfo(c10::MaybeOwned<TensorBase>&& t) {
  if (t->defined()) {
    device = t->device();
    target_dtype = t->scalar_type();
    current_dtype = target_dtype;
    TORCH_CHECK(t->layout() == Layout::Strided, "unsupported tensor layout: ", t->layout());
  }
  tensor_base_ = std::move(t);
}

OperandInfo::OperandInfo(const OperandInfo& other) { *this = other; }

OperandInfo::OperandInfo(OperandInfo&& other) noexcept { *this = std::move(other); }

OperandInfo& OperandInfo::operator=(const OperandInfo& other) {
  tensor_base_ = other.tensor_base_;
  original_tensor_base_ = other.original_tensor_base_;
  stride_bytes = other.stride_bytes;
  device = other.device;
  target_dtype = other.target_dtype;
  current_dtype = other.current_dtype;
  is_output = other.is_output;
  will_resize = other.will_resize;
  is_read_write = other.is_read_write;
  is_const = other.is_const;
  data = other.data;
  if (other.holds_scalar()) {
    std::memcpy(scalar_, other.scalar_, sizeof(scalar_));
    data = scalar_;
  }
  return *this;
}

OperandInfo& OperandInfo::operator=(OperandInfo&& other) noexcept {
  tensor_base_ = std::move(other.tensor_base_);
  original_tensor_base_ = std::move(other.original_tensor_base_);
  stride_bytes = std::move(other.stride_bytes);
  device = other.device;
  target_dtype = other.target_dtype;
  current_dtype = other.current_dtype;
  is_output = other.is_output;
  will_resize = other.will_resize;
  is_read_write = other.is_read_write;
  is_const = other.is_const;
  data = other.data;
  if (other.holds_scalar()) {
    std::memcpy(scalar_, other.scalar_, sizeof(scalar_));
    data = scalar_;
  }
  return *this;
}

void OperandInfo::exchange_tensor(c10::MaybeOwned<TensorBase>&& new_tensor) {
  TORCH_INTERNAL_ASSERT_DEBUG_ONLY(!original_tensor_base_->defined());
  original_tensor_base_ = std::exchange(tensor_base_, std::move(new_tensor));
}

void OperandInfo::restore_original_tensor() {
  TORCH_INTERNAL_ASSERT_DEBUG_ONLY(original_tensor_base_->defined());
  tensor_base_ = std::move(original_tensor_base_);
  original_tensor_base_ = c10::MaybeOwned<TensorBase>();
}

void OperandInfo::hold_scalar(ScalarType dtype) {
  convert_element(*tensor_base_, dtype, scalar_);
  current_dtype = dtype;
  target_dtype = dtype;
  data = scalar_;
}

void OperandInfo::convert_element(const TensorBase& from, ScalarType dtype, void* to) {
  const ScalarType stored = from.scalar_type();
  const void* value = from.const_data_ptr();
  if (C10_LIKELY(stored == kDouble && dtype == kFloat)) {  // a Python scalar and a tensor
    *static_cast<float*>(to) = static_cast<float>(*static_cast<const double*>(value));
    return;
  }
  AT_DISPATCH_V2(dtype, "convert_element", AT_WRAP([&] {
                   const auto converted = c10::fetch_and_cast<scalar_t>(stored, value);
                   static_assert(sizeof(converted) <= sizeof(scalar_));
                   std::memcpy(to, &converted, sizeof(converted));
                 }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), AT_EXPAND(AT_REDUCED_FLOATING_TYPES),
                 c10::ScalarType::Bool, AT_EXPAND(AT_LIMITED_TYPES));
}

// ---- building

// Out of line: inline, every operator would have its own copy of these long functions.
TensorIteratorBase::General::General() = default;
TensorIteratorBase::General::General(const General&) = default;
TensorIteratorBase::General::General(General&&) noexcept = default;
TensorIteratorBase::General& TensorIteratorBase::General::operator=(const General&) = default;
TensorIteratorBase::General& TensorIteratorBase::General::operator=(General&&) noexcept = default;
TensorIteratorBase::General::~General() = default;
TensorIteratorBase::TensorIteratorBase(const TensorIteratorBase&) = default;
TensorIteratorBase::TensorIteratorBase(TensorIteratorBase&&) noexcept = default;
TensorIteratorBase& TensorIteratorBase::operator=(const TensorIteratorBase&) = default;
TensorIteratorBase& TensorIteratorBase::operator=(TensorIteratorBase&&) noexcept = default;

void TensorIteratorBase::build(TensorIteratorConfig& config) {
  general_.emplace();
  is_reduction_ = config.is_reduction_;
  enforce_linear_iteration_ = config.enforce_linear_iteration_;
  populate_operands(config);
  mark_outputs();
  compute_mem_overlaps(config);
  compute_shape(config);
  mark_resize_outputs(config);
  compute_types(config);
  if (!fast_set_up(config)) {
    compute_strides(config);
    reorder_dimensions();
    allocate_or_resize_outputs();
    if (!is_meta_) {
      coalesce_dimensions();
    }
  }
  if (!is_meta_) {
    set_data_pointers();
  }
}

void TensorIteratorBase::populate_operands(TensorIteratorConfig& config) {
  for (auto& operand : config.tensors_) {
    is_meta_ |= operand.tensor->defined() && operand.tensor->is_meta();
    general_->operands.emplace_back(std::move(operand.tensor));
    general_->operands.back().is_const = operand.is_const;
  }
  num_outputs_ = config.num_outputs_;
}

void TensorIteratorBase::mark_outputs() {
  for (int i = 0; i < num_outputs_; i++) {
    auto& output = general_->operands[i];
    output.is_output = true;
    if (!output.tensor_base().defined()) {
      continue;
    }
    for (int arg = num_outputs_; arg < ntensors(); arg++) {
      output.is_read_write |= output.tensor_base().is_same(tensor_base(arg));
    }
  }
}

void TensorIteratorBase::compute_mem_overlaps(const TensorIteratorConfig& config) {
  if (!config.check_mem_overlap_) {
    return;
  }
  for (int i = 0; i < num_outputs_; i++) {
    const auto& output = tensor_base(i);
    if (!output.defined()) {
      continue;
    }
    assert_no_internal_overlap(output);
    for (int arg = num_outputs_; arg < ntensors(); arg++) {
      if (!tensor_base(arg).is_same(output)) {
        assert_no_partial_overlap(output, tensor_base(arg));
      }
    }
  }
}

void TensorIteratorBase::set_data_pointers() {
  for (auto& op : general_->operands) {
    const auto& t = op.tensor_base();
    TORCH_INTERNAL_ASSERT_DEBUG_ONLY(t.defined());
    if (!op.holds_scalar()) {
      op.data = op.is_output ? t.mutable_data_ptr() : const_cast<void*>(t.const_data_ptr());
    }
  }
  // A reduction to a scalar still translates one index.
  for (int dim = 0; dim < std::max(ndim(), 1); dim++) {
    general_->view_offsets.push_back(0);
  }
}

// ---- outputs

static c10::MaybeOwned<TensorBase> new_tensor(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype,
                                              Device device) {
  return c10::MaybeOwned<TensorBase>::owned(
      strides.empty() ? at::detail::empty_device(sizes, dtype, device)
                      : at::detail::empty_strided_device(sizes, strides, dtype, device));
}

static void resize_output(const TensorBase& t, IntArrayRef sizes, IntArrayRef strides) {
  if (native::resize_output(reinterpret_cast<const Tensor&>(t), sizes) && !strides.empty()) {
    native::restride(t, sizes, strides);
  }
}

void TensorIteratorBase::set_output_raw_strided(int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
                                                TensorOptions /*options*/) {
  auto& op = general_->operands[output_idx];
  const auto& given = reinterpret_cast<const TensorBase&>(maybe_get_output(output_idx));
  if (!op.tensor_base().defined()) {
    op.tensor(c10::MaybeOwned<TensorBase>::borrowed(given));
    TORCH_INTERNAL_ASSERT_DEBUG_ONLY(op.target_dtype == given.scalar_type());
    op.current_dtype = op.target_dtype;
  } else if (op.will_resize && op.original_tensor_base().defined()) {
    // The derived class resized the caller's tensor; the temporary in its place is resized, too.
    op.tensor(new_tensor(sizes, strides, op.target_dtype, given.device()));
  }
}

const Tensor& TensorIterator::maybe_get_output(int64_t output_idx) { return output(output_idx); }

void TensorIterator::set_output_raw_strided(int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
                                            TensorOptions options) {
  auto& op = general_->operands[output_idx];
  if (!op.tensor_base().defined()) {
    op.tensor(new_tensor(sizes, strides, op.target_dtype, options.device()));
    op.current_dtype = op.target_dtype;
  } else if (op.will_resize) {
    if (op.original_tensor_base().defined()) {
      resize_output(op.original_tensor_base(), sizes, strides);
      op.tensor(new_tensor(sizes, strides, op.target_dtype, options.device()));
    } else {
      resize_output(op.tensor_base(), sizes, strides);
    }
  }
}

void TensorIteratorBase::copy_temporary_outputs() {
  for (int i = 0; i < num_outputs_; i++) {
    auto& op = general_->operands[i];
    if (C10_UNLIKELY(op.original_tensor_base().defined())) {
      native::iterator_copy_(op.original_tensor_base(), op.tensor_base());
      op.restore_original_tensor();
    }
  }
  has_temporary_outputs_ = false;
}

// ---- config

TensorIteratorConfig& TensorIteratorConfig::add(c10::MaybeOwned<TensorBase>&& tensor, bool is_output,
                                                bool is_const) {
  TORCH_INTERNAL_ASSERT(!is_output || num_inputs_ == 0, "outputs are added before inputs");
  tensors_.push_back(Operand{std::move(tensor), is_const});
  (is_output ? num_outputs_ : num_inputs_)++;
  return *this;
}
TensorIteratorConfig& TensorIteratorConfig::add_owned_output(const TensorBase& output) {
  return add(c10::MaybeOwned<TensorBase>::owned(TensorBase(output)), true, false);
}
TensorIteratorConfig& TensorIteratorConfig::add_owned_input(const TensorBase& input) {
  return add(c10::MaybeOwned<TensorBase>::owned(TensorBase(input)), false, false);
}
TensorIteratorConfig& TensorIteratorConfig::add_owned_const_input(const TensorBase& input) {
  return add(c10::MaybeOwned<TensorBase>::owned(TensorBase(input)), false, true);
}
TensorIteratorConfig& TensorIteratorConfig::add_borrowed_output(const TensorBase& output) {
  return add(c10::MaybeOwned<TensorBase>::borrowed(output), true, false);
}
TensorIteratorConfig& TensorIteratorConfig::add_borrowed_input(const TensorBase& input) {
  return add(c10::MaybeOwned<TensorBase>::borrowed(input), false, false);
}
TensorIteratorConfig& TensorIteratorConfig::add_borrowed_const_input(const TensorBase& input) {
  return add(c10::MaybeOwned<TensorBase>::borrowed(input), false, true);
}

#define ATEN_CONFIG_FLAG(name)                                   \
  TensorIteratorConfig& TensorIteratorConfig::name(bool value) { \
    name##_ = value;                                             \
    return *this;                                                \
  }
ATEN_CONFIG_FLAG(check_all_same_dtype)
ATEN_CONFIG_FLAG(check_all_same_device)
ATEN_CONFIG_FLAG(enforce_safe_casting_to_output)
ATEN_CONFIG_FLAG(enforce_linear_iteration)
ATEN_CONFIG_FLAG(promote_integer_inputs_to_float)
ATEN_CONFIG_FLAG(is_reduction)
ATEN_CONFIG_FLAG(allow_cpu_scalars)
ATEN_CONFIG_FLAG(resize_outputs)
#undef ATEN_CONFIG_FLAG

TensorIteratorConfig& TensorIteratorConfig::set_check_mem_overlap(bool value) {
  check_mem_overlap_ = value;
  return *this;
}
TensorIteratorConfig& TensorIteratorConfig::promote_inputs_to_common_dtype(bool value) {
  promote_inputs_to_common_dtype_ = value;
  check_all_same_dtype_ &= !value;
  return *this;
}
TensorIteratorConfig& TensorIteratorConfig::cast_common_dtype_to_outputs(bool value) {
  cast_common_dtype_to_outputs_ = value;
  check_all_same_dtype_ &= !value;
  return *this;
}
TensorIteratorConfig& TensorIteratorConfig::cast_to_outputs_from(ScalarType dtype) {
  loop_output_dtype_ = dtype;
  static_dtype_ = dtype;
  return cast_common_dtype_to_outputs(true);
}
TensorIteratorConfig& TensorIteratorConfig::declare_static_dtype_and_device(ScalarType dtype, Device device) {
  return declare_static_dtype(dtype).declare_static_device(device);
}
TensorIteratorConfig& TensorIteratorConfig::declare_static_dtype(ScalarType dtype) {
  TORCH_CHECK(!check_all_same_dtype_,
              "check_all_same_dtype(false) must be called before declare_static_dtype(...)");
  static_dtype_ = dtype;
  return *this;
}
TensorIteratorConfig& TensorIteratorConfig::declare_static_device(Device device) {
  TORCH_CHECK(!check_all_same_device_,
              "check_all_same_device(false) must be called before declare_static_device(...)");
  static_device_ = device;
  return *this;
}
TensorIteratorConfig& TensorIteratorConfig::declare_static_shape(IntArrayRef shape) {
  TORCH_CHECK(!resize_outputs_, "resize_outputs() must be called before declare_static_shape(...)");
  static_shape_ = DimVector(shape.begin(), shape.end());
  return *this;
}
TensorIteratorConfig& TensorIteratorConfig::declare_static_shape(IntArrayRef shape, IntArrayRef squash_dims) {
  declare_static_shape(shape);
  if (!static_shape_->empty()) {
    for (int64_t dim : squash_dims) {
      static_shape_->at(dim) = 1;
    }
  }
  return *this;
}

}  // namespace at::inline C10_ABI
