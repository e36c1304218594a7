// Set-up for unary, binary, comparison and reduction operators, with a fast path for the commonest operands.
#include <ATen/TensorIterator.h>

#include <ATen/native/TypeProperties.h>
#include <c10/core/DefaultDtype.h>

#include <utility>

namespace at::inline C10_ABI {

namespace {

enum class Retain : bool { BORROW, OWN };

void add_output(TensorIteratorConfig& config, const TensorBase& t, Retain retain) {
  retain == Retain::OWN ? config.add_owned_output(t) : config.add_borrowed_output(t);
}

void add_input(TensorIteratorConfig& config, const TensorBase& t, Retain retain) {
  retain == Retain::OWN ? config.add_owned_const_input(t) : config.add_borrowed_const_input(t);
}

// Inputs are promoted together and the result is cast to the output.
TensorIteratorConfig promoting_config() {
  TensorIteratorConfig config;
  config.set_check_mem_overlap(true)
      .allow_cpu_scalars(true)
      .promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true);
  return config;
}

// May `out` be written while `in` is read, element by element? True when they are the same elements or share
// none.
bool can_write_over(const TensorBase& out, const TensorBase& in) {
  if (out.is_same(in)) {
    return true;
  }
  const auto* a = static_cast<const char*>(out.const_data_ptr());
  const auto* b = static_cast<const char*>(in.const_data_ptr());
  const int64_t a_nbytes = out.numel() * static_cast<int64_t>(out.element_size());
  const int64_t b_nbytes = in.numel() * static_cast<int64_t>(in.element_size());
  return (a == b && a_nbytes == b_nbytes) || a + a_nbytes <= b || b + b_nbytes <= a;
}

bool can_be_fast_path_output(const TensorBase& out, ScalarType dtype, const TensorBase& a,
                             const TensorBase* b) {
  return out.scalar_type() == dtype && out.device() == a.device() && out.is_contiguous() &&
         out.sizes() == a.sizes() && can_write_over(out, a) && (b == nullptr || can_write_over(out, *b));
}

}  // namespace

// ---- the fast path

C10_ALWAYS_INLINE bool TensorIteratorBase::build_fast_path(OutputRule rule, const TensorBase& out,
                                                           const TensorBase& a, const TensorBase* b) {
  const c10::TensorImpl& first = *a.unsafeGetTensorImpl();
  if (!a.defined() || !first.is_contiguous()) {
    return false;
  }
  const ScalarType dtype = first.scalar_type();
  if (rule == OutputRule::FLOAT && c10::isIntegralType(dtype, /*includeBool=*/true)) {
    return false;
  }
  fast_path_.last_is_scalar = false;
  fast_path_.scalar_is_cast = false;
  if (b != nullptr && !first.has_form_of(*b->unsafeGetTensorImpl()) && !take_scalar(a, *b)) {
    return false;
  }
  const ScalarType out_dtype = rule == OutputRule::BOOL ? ScalarType::Bool : dtype;
  const bool out_is_given = out.defined();
  if (out_is_given && !can_be_fast_path_output(out, out_dtype, a, b)) {
    return false;
  }

  common_dtype_ = dtype;
  common_device_ = first.device();
  is_meta_ = common_device_.is_meta();
  num_outputs_ = 1;
  fast_path_.tensors[0] = &out;
  fast_path_.tensors[1] = &a;
  fast_path_.tensors[2] = b;
  fast_path_.numel = first.numel();
  fast_path_.num_operands = b == nullptr ? 2 : 3;
  fast_path_.output_dtype = out_dtype;
  set_fast_path_output(first, out_dtype);
  if (C10_LIKELY(is_fast_path())) {
    set_fast_path_pointers(b);
  } else if (!is_meta_) {
    set_data_pointers();
  }
  return true;
}

// A scalar (a 0-dim tensor on the CPU) that does not change the dtype of the other input is stored,
// converted, in the fast path itself.
bool TensorIteratorBase::take_scalar(const TensorBase& a, const TensorBase& b) {
  if (!b.defined() || b.device() != a.device()) {
    return false;
  }
  const ScalarType dtype = a.scalar_type();
  // has_form_of() took a wrapped scalar for another form, even where it is like `a`.
  if (b.dim() != 0 || a.dim() == 0 || !a.device().is_cpu()) {
    return b.scalar_type() == dtype && b.is_contiguous() && b.sizes() == a.sizes();
  }
  fast_path_.last_is_scalar = true;
  fast_path_.scalar_is_cast = b.scalar_type() != dtype;
  if (fast_path_.scalar_is_cast) {
    if (native::promoted_type(a, b) != dtype) {
      return false;
    }
    OperandInfo::convert_element(b, dtype, fast_path_.scalar);
  }
  return true;
}

inline void TensorIteratorBase::set_fast_path_pointers(const TensorBase* b) {
  if (is_meta_ || fast_path_.numel == 0) {
    fast_path_.pointers[0] = fast_path_.pointers[1] = fast_path_.pointers[2] = nullptr;
    return;
  }
  const auto at_offset = [](const c10::TensorImpl& t, const void* data, size_t size) {
    return static_cast<char*>(const_cast<void*>(data)) + t.storage_offset() * static_cast<int64_t>(size);
  };
  const c10::TensorImpl& output = *fast_path_.tensors[0]->unsafeGetTensorImpl();
  const c10::TensorImpl& first = *fast_path_.tensors[1]->unsafeGetTensorImpl();
  const size_t size = first.itemsize();
  fast_path_.pointers[0] =
      at_offset(output, output.storage().mutable_data(), fast_path_.output_dtype == kBool ? 1 : size);
  fast_path_.pointers[1] = at_offset(first, first.storage().data(), size);
  if (b != nullptr) {
    const c10::TensorImpl& second = *b->unsafeGetTensorImpl();
    fast_path_.pointers[2] = at_offset(second, second.storage().data(), size);
  }
}

void TensorIteratorBase::set_fast_path_output(const c10::TensorImpl& like, ScalarType dtype) {
  expand();
  set_output_raw_strided(0, like.sizes(), {}, TensorOptions(dtype).device(like.device()));
}

// Builds the general form from the fast path.
void TensorIteratorBase::expand() {
  general_.emplace();
  const int num_operands = std::exchange(fast_path_.num_operands, 0);
  if (num_operands == 0) return;
  const TensorBase& first = *fast_path_.tensors[1];
  all_ops_same_shape_ = !(num_operands == 3 && fast_path_.last_is_scalar);
  all_ops_are_scalars_ = first.dim() == 0;
  has_coalesced_dimensions_ = first.dim() > 1;
  general_->operands.emplace_back(*fast_path_.tensors[0], fast_path_.output_dtype, common_device_,
                                  /*is_output=*/true);
  general_->operands.emplace_back(first, common_dtype_, common_device_, /*is_output=*/false);
  if (num_operands == 3) {
    general_->operands.emplace_back(*fast_path_.tensors[2], common_dtype_, common_device_,
                                    /*is_output=*/false);
    if (fast_path_.scalar_is_cast) {
      general_->operands[2].hold_scalar(common_dtype_);
    }
  }
  mark_outputs();
  if (!first.sizes().empty()) {
    general_->shape.push_back(fast_path_.numel);
    for (auto& op : general_->operands) {
      op.stride_bytes.push_back(static_cast<int64_t>(c10::elementSize(op.current_dtype)));
    }
    if (fast_path_.last_is_scalar) {
      general_->operands[2].stride_bytes[0] = 0;
    }
  }
  if (!is_meta_ && general_->operands[0].tensor_base().defined()) {
    set_data_pointers();
  }
}

// ---- one kind of iterator each; `retain` says whether tensors are borrowed or owned

static void build_binary(TensorIteratorBase& iter, const TensorBase& out, const TensorBase& a,
                         const TensorBase& b, Retain retain, bool integers_to_float) {
  auto config = promoting_config();
  config.promote_integer_inputs_to_float(integers_to_float);
  add_output(config, out, retain);
  add_input(config, a, retain);
  add_input(config, b, retain);
  iter.build(config);
}

static void build_comparison(TensorIteratorBase& iter, const TensorBase& out, const TensorBase& a,
                             const TensorBase& b, Retain retain, Retain retain_last) {
  TensorIteratorConfig config;
  config.set_check_mem_overlap(true).allow_cpu_scalars(true).promote_inputs_to_common_dtype(true);
  config.cast_to_outputs_from(ScalarType::Bool);
  add_output(config, out, retain);
  add_input(config, a, retain);
  add_input(config, b, retain_last);
  iter.build(config);
}

static void build_unary(TensorIteratorBase& iter, const TensorBase& out, const TensorBase& a,
                        Retain retain_out, Retain retain, bool integers_to_float) {
  TensorIteratorConfig config;
  config.set_check_mem_overlap(true);
  if (integers_to_float) {
    config.promote_inputs_to_common_dtype(true).promote_integer_inputs_to_float(true);
    config.cast_common_dtype_to_outputs(true).enforce_safe_casting_to_output(true);
  } else {
    config.cast_common_dtype_to_outputs(false).enforce_safe_casting_to_output(false).check_all_same_dtype(
        true);
  }
  add_output(config, out, retain_out);
  add_input(config, a, retain);
  iter.build(config);
}

void TensorIteratorBase::build_binary_op(const TensorBase& out, const TensorBase& a, const TensorBase& b) {
  build_binary(*this, out, a, b, Retain::OWN, false);
}
void TensorIteratorBase::build_borrowing_binary_op(const TensorBase& out, const TensorBase& a,
                                                   const TensorBase& b) {
  if (!build_fast_path(OutputRule::COMMON, out, a, &b)) {
    build_binary(*this, out, a, b, Retain::BORROW, false);
  }
}
void TensorIteratorBase::build_binary_float_op(const TensorBase& out, const TensorBase& a,
                                               const TensorBase& b) {
  build_binary(*this, out, a, b, Retain::OWN, true);
}
void TensorIteratorBase::build_borrowing_binary_float_op(const TensorBase& out, const TensorBase& a,
                                                         const TensorBase& b) {
  if (!build_fast_path(OutputRule::FLOAT, out, a, &b)) {
    build_binary(*this, out, a, b, Retain::BORROW, true);
  }
}
void TensorIteratorBase::build_comparison_op(const TensorBase& out, const TensorBase& a,
                                             const TensorBase& b) {
  build_comparison(*this, out, a, b, Retain::OWN, Retain::OWN);
}
void TensorIteratorBase::build_borrowing_comparison_op(const TensorBase& out, const TensorBase& a,
                                                       const TensorBase& b) {
  if (!build_fast_path(OutputRule::BOOL, out, a, &b)) {
    build_comparison(*this, out, a, b, Retain::BORROW, Retain::BORROW);
  }
}
void TensorIteratorBase::build_borrowing_except_last_argument_comparison_op(const TensorBase& out,
                                                                            const TensorBase& a,
                                                                            const TensorBase& b) {
  build_comparison(*this, out, a, b, Retain::BORROW, Retain::OWN);
}
void TensorIteratorBase::build_unary_op(const TensorBase& out, const TensorBase& a) {
  build_unary(*this, out, a, Retain::OWN, Retain::OWN, false);
}
void TensorIteratorBase::build_borrowing_unary_op(const TensorBase& out, const TensorBase& a) {
  if (!build_fast_path(OutputRule::COMMON, out, a, nullptr)) {
    build_unary(*this, out, a, Retain::BORROW, Retain::BORROW, false);
  }
}
void TensorIteratorBase::build_output_borrowing_argument_owning_unary_op(const TensorBase& out,
                                                                         const TensorBase& a) {
  build_unary(*this, out, a, Retain::BORROW, Retain::OWN, false);
}
void TensorIteratorBase::build_unary_float_op(const TensorBase& out, const TensorBase& a) {
  build_unary(*this, out, a, Retain::OWN, Retain::OWN, true);
}
void TensorIteratorBase::build_borrowing_unary_float_op(const TensorBase& out, const TensorBase& a) {
  if (!build_fast_path(OutputRule::FLOAT, out, a, nullptr)) {
    build_unary(*this, out, a, Retain::BORROW, Retain::BORROW, true);
  }
}
void TensorIteratorBase::build_borrowing_unary_force_boolean_op(const TensorBase& out, const TensorBase& a) {
  if (build_fast_path(OutputRule::BOOL, out, a, nullptr)) {
    return;
  }
  TensorIteratorConfig config;
  config.set_check_mem_overlap(true).check_all_same_dtype(false).cast_to_outputs_from(ScalarType::Bool);
  config.add_borrowed_output(out).add_borrowed_const_input(a);
  build(config);
}
void TensorIteratorBase::build_ternary_op(const TensorBase& out, const TensorBase& a, const TensorBase& b,
                                          const TensorBase& c) {
  auto config = promoting_config();
  config.add_owned_output(out).add_owned_const_input(a).add_owned_const_input(b).add_owned_const_input(c);
  build(config);
}

// ---- the same, returned as TensorIterator objects

TensorIterator TensorIterator::binary_op(TensorBase& out, const TensorBase& a, const TensorBase& b) {
  TensorIterator iter;
  iter.build_binary_op(out, a, b);
  return iter;
}
TensorIterator TensorIterator::borrowing_binary_op(const TensorBase& out, const TensorBase& a,
                                                   const TensorBase& b) {
  TensorIterator iter;
  iter.build_borrowing_binary_op(out, a, b);
  return iter;
}
TensorIterator TensorIterator::binary_float_op(TensorBase& out, const TensorBase& a, const TensorBase& b) {
  TensorIterator iter;
  iter.build_binary_float_op(out, a, b);
  return iter;
}
TensorIterator TensorIterator::comparison_op(TensorBase& out, const TensorBase& a, const TensorBase& b) {
  TensorIterator iter;
  iter.build_comparison_op(out, a, b);
  return iter;
}
TensorIterator TensorIterator::unary_op(TensorBase& out, const TensorBase& a) {
  TensorIterator iter;
  iter.build_unary_op(out, a);
  return iter;
}
TensorIterator TensorIterator::unary_float_op(TensorBase& out, const TensorBase& a) {
  TensorIterator iter;
  iter.build_unary_float_op(out, a);
  return iter;
}

static TensorIteratorConfig nullary_config() {
  TensorIteratorConfig config;
  // The output's own shape is the iteration's.
  config.set_check_mem_overlap(true).check_all_same_dtype(false).resize_outputs(false);
  return config;
}
TensorIterator TensorIterator::nullary_op(TensorBase& out) {
  return nullary_config().add_owned_output(out).build();
}
TensorIterator TensorIterator::borrowing_nullary_op(const TensorBase& out) {
  return nullary_config().add_borrowed_output(out).build();
}

static TensorIteratorConfig reduction_config() {
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false).resize_outputs(false).is_reduction(true).promote_inputs_to_common_dtype(
      true);
  return config;
}
TensorIterator TensorIterator::reduce_op(TensorBase& out, const TensorBase& a) {
  TORCH_INTERNAL_ASSERT(out.defined());
  return reduction_config().add_owned_output(out).add_owned_const_input(a).build();
}
TensorIterator TensorIterator::reduce_op(TensorBase& out1, TensorBase& out2, const TensorBase& a) {
  TORCH_INTERNAL_ASSERT(out1.defined() && out2.defined());
  TORCH_CHECK(out1.sizes() == out2.sizes() && out1.strides() == out2.strides(),
              "reduce_op(): expected both outputs to have the same sizes and strides, but got ", out1.sizes(),
              " and ", out2.sizes());
  TORCH_CHECK(a.device() == out1.device() && out1.device() == out2.device(),
              "reduce_op(): expected input and both outputs to be on the same device, but input is on ",
              a.device(), ", the outputs on ", out1.device(), " and ", out2.device());
  auto config = reduction_config();
  config.check_all_same_dtype(false).promote_inputs_to_common_dtype(false);
  config.add_owned_output(out1).add_owned_output(out2).add_owned_const_input(a);
  return config.build();
}

}  // namespace at::inline C10_ABI
