// Dtypes and devices of an iteration: the common dtype, checks, and temporaries for operands of another
// dtype.
#include <ATen/TensorIterator.h>

#include <ATen/EmptyTensor.h>
#include <ATen/ViewUtils.h>
#include <ATen/native/IteratorOps.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/DefaultDtype.h>

namespace at::inline C10_ABI {

// What the first pass over the operands finds.
struct OperandTypes {
  Device device = Device(DeviceType::CPU);  // the first that is not the CPU
  ScalarType input = ScalarType::Undefined;
  ScalarType output = ScalarType::Undefined;
  bool inputs_differ = false;
  bool outputs_differ = false;
  bool has_undefined_outputs = false;

  bool all_same() const {
    return !inputs_differ && !outputs_differ && (output == ScalarType::Undefined || output == input);
  }
};

void TensorIteratorBase::find_dtypes_and_device(const TensorIteratorConfig& config, OperandTypes& found) {
  for (auto& op : general_->operands) {
    if (!op.is_type_defined()) {
      TORCH_INTERNAL_ASSERT(op.is_output, "an input of the iteration is undefined");
      if (config.static_dtype_.has_value()) {
        op.target_dtype = *config.static_dtype_;
      } else {
        found.has_undefined_outputs = true;
      }
      if (config.static_device_.has_value()) {
        op.device = *config.static_device_;
      } else {
        TORCH_INTERNAL_ASSERT(config.check_all_same_device_);
      }
    }
    if (!op.tensor_base().defined()) {
      continue;
    }
    if (found.device.is_cpu()) {
      found.device = *op.device;
    }
    ScalarType& seen = op.is_output ? found.output : found.input;
    bool& differ = op.is_output ? found.outputs_differ : found.inputs_differ;
    if (seen == ScalarType::Undefined) {
      seen = op.target_dtype;
    } else if (seen != op.target_dtype) {
      differ = true;
    }
  }
}

static void check_operand_device(const OperandInfo& op, Device common_device, bool allow_cpu_scalars,
                                 int& num_cpu_scalars) {
  const auto& t = op.tensor_base();
  if (!common_device.is_cpu() && allow_cpu_scalars && !op.is_output && t.dim() == 0 && t.is_cpu()) {
    TORCH_CHECK(++num_cpu_scalars <= 1, "Trying to pass too many CPU scalars to non-CPU kernel!");
    return;
  }
  TORCH_CHECK(*op.device == common_device,
              "Expected all tensors to be on the same device, but found at least two devices, ",
              common_device, " and ", *op.device, "!");
}

// Loops on the CPU have one dtype: an operand of another is replaced by a temporary, a scalar is converted in
// place.
void TensorIteratorBase::cast_operand(OperandInfo& op, const TensorIteratorConfig& config) {
  if (op.is_output) {
    const ScalarType written =
        config.loop_output_dtype_ == ScalarType::Undefined ? common_dtype_ : config.loop_output_dtype_;
    if (config.cast_common_dtype_to_outputs_ && op.current_dtype != written) {
      has_temporary_outputs_ = true;
      const auto& t = op.tensor_base();
      const DimVector strides = at::detail::dense_strides(t.sizes(), t.strides());
      op.exchange_tensor(c10::MaybeOwned<TensorBase>::owned(
          at::detail::empty_strided_device(t.sizes(), strides, written, t.device())));
      op.current_dtype = written;
      op.target_dtype = written;
    }
  } else if (config.promote_inputs_to_common_dtype_ && op.current_dtype != common_dtype_) {
    if (op.tensor_base().dim() == 0) {
      op.hold_scalar(common_dtype_);
      return;
    }
    op.exchange_tensor(
        c10::MaybeOwned<TensorBase>::owned(native::iterator_to(op.tensor_base(), common_dtype_)));
    op.current_dtype = common_dtype_;
    op.target_dtype = common_dtype_;
  }
}

void TensorIteratorBase::compute_types(const TensorIteratorConfig& config) {
  OperandTypes found;
  find_dtypes_and_device(config, found);
  common_dtype_ = found.input;
  common_device_ = found.device;

  const bool needs_common_dtype = found.has_undefined_outputs || config.enforce_safe_casting_to_output_ ||
                                  config.cast_common_dtype_to_outputs_;
  TORCH_INTERNAL_ASSERT(!found.inputs_differ || config.promote_inputs_to_common_dtype_ ||
                        !needs_common_dtype);
  if (config.check_all_same_dtype_ && !found.all_same()) {
    for (const auto& op : general_->operands) {
      TORCH_CHECK(!op.tensor_base().defined() || op.target_dtype == common_dtype_, "Found dtype ",
                  op.target_dtype, " but expected ", common_dtype_);
    }
  }
  if (!needs_common_dtype && !config.check_all_same_device_ && !config.promote_inputs_to_common_dtype_) {
    common_dtype_ = found.inputs_differ ? ScalarType::Undefined : common_dtype_;
    return;
  }
  if (config.promote_inputs_to_common_dtype_ && (found.inputs_differ || all_ops_are_scalars_)) {
    common_dtype_ = compute_common_dtype();
  }
  if (config.promote_integer_inputs_to_float_ && c10::isIntegralType(common_dtype_, /*includeBool=*/true)) {
    common_dtype_ = c10::get_default_dtype_as_scalartype();
  }

  int num_cpu_scalars = 0;
  for (auto& op : general_->operands) {
    if (!op.is_type_defined()) {
      op.target_dtype = common_dtype_;
    }
    if (!op.is_device_defined()) {
      op.device = common_device_;
    }
    if (!op.tensor_base().defined()) {
      continue;
    }
    if (config.check_all_same_device_) {
      check_operand_device(op, common_device_, config.allow_cpu_scalars_, num_cpu_scalars);
    }
    TORCH_CHECK(!config.enforce_safe_casting_to_output_ || !op.is_output ||
                    op.current_dtype == common_dtype_ || c10::canCast(common_dtype_, op.current_dtype),
                "result type ", common_dtype_, " can't be cast to the desired output type ",
                op.current_dtype);
    if (common_device_.is_cpu()) {
      cast_operand(op, config);
    }
  }
}

ScalarType TensorIteratorBase::compute_common_dtype() {
  native::ResultTypeState state;
  for (const auto& op : general_->operands) {
    if (!op.is_output) {
      state = native::update_result_type_state(op.tensor_base(), state);
    }
  }
  const ScalarType dtype = native::result_type(state);
  TORCH_INTERNAL_ASSERT(dtype != ScalarType::Undefined);
  return dtype;
}

}  // namespace at::inline C10_ABI
