// The geometry of an iteration: shape, strides, order and merging of dimensions, layout of outputs.
#include <ATen/TensorIterator.h>

#include <ATen/ExpandUtils.h>
#include <c10/core/MemoryFormat.h>
#include <c10/util/safe_numerics.h>

#include <algorithm>
#include <numeric>

namespace at::inline C10_ABI {

// ---- shape

void TensorIteratorBase::compute_shape(const TensorIteratorConfig& config) {
  if (config.static_shape_.has_value()) {
    general_->shape = *config.static_shape_;
    return;
  }
  all_ops_same_shape_ = true;
  bool has_scalars = false;
  bool has_tensors = false;
  for (const auto& op : general_->operands) {
    // Outputs that may be resized don't take part in broadcasting.
    if (!op.tensor_base().defined() || (config.resize_outputs_ && op.is_output)) {
      continue;
    }
    const IntArrayRef shape = op.tensor_base().sizes();
    (shape.empty() ? has_scalars : has_tensors) = true;
    all_ops_same_shape_ &= !(has_scalars && has_tensors);
    if (general_->shape.empty()) {
      general_->shape.assign(shape.begin(), shape.end());
    } else if (!shape.equals(general_->shape)) {
      all_ops_same_shape_ = false;
      general_->shape = infer_size_dimvector(general_->shape, shape);
    }
  }
  all_ops_are_scalars_ = !has_tensors;
}

void TensorIteratorBase::mark_resize_outputs(const TensorIteratorConfig& config) {
  if (config.static_shape_.has_value()) {
    return;
  }
  for (int i = 0; i < num_outputs_; i++) {
    const auto& output = tensor_base(i);
    if (!output.defined() || output.sizes().equals(general_->shape)) {
      continue;
    }
    if (config.resize_outputs_ && !general_->operands[i].is_read_write) {
      general_->operands[i].will_resize = true;
      continue;
    }
    TORCH_CHECK(is_reduction_, "output with shape ", output.sizes(), " doesn't match the broadcast shape ",
                IntArrayRef(general_->shape));
  }
}

// ---- strides and the order of dimensions

void TensorIteratorBase::compute_strides(const TensorIteratorConfig& config) {
  const size_t ndim = general_->shape.size();
  for (auto& op : general_->operands) {
    const auto& t = op.tensor_base();
    if (!t.defined() || op.will_resize) {
      continue;
    }
    const IntArrayRef sizes = config.static_shape_.has_value() ? IntArrayRef(general_->shape) : t.sizes();
    const IntArrayRef strides = t.strides();
    const auto element_size = static_cast<int64_t>(t.element_size());
    const size_t offset = ndim - sizes.size();
    op.stride_bytes.assign(ndim, 0);
    for (size_t i = 0; i < sizes.size(); i++) {
      const bool broadcast = sizes[i] == 1 && general_->shape[offset + i] != 1;
      op.stride_bytes[offset + i] = broadcast ? 0 : c10::wrapping_mul(strides[i], element_size);
    }
  }
}

namespace {

// Whether dimension a should be inside (-1) or outside (1) of dimension b, judged by one operand; 0: no
// preference.
int compare_dims(IntArrayRef strides, IntArrayRef shape, int64_t a, int64_t b, bool is_reduced_output) {
  const int64_t stride_a = strides[a];
  const int64_t stride_b = strides[b];
  // Reduced dimensions have stride 0 in the output and come first.
  if (is_reduced_output && (stride_a == 0) != (stride_b == 0)) {
    return stride_b == 0 ? 1 : -1;
  }
  if (stride_a == 0 || stride_b == 0) {
    return 0;
  }
  if (stride_a != stride_b) {
    return stride_a < stride_b ? -1 : 1;
  }
  return shape[a] > shape[b] ? 1 : 0;
}

}  // namespace

void TensorIteratorBase::reorder_dimensions() {
  general_->perm.resize(ndim());
  std::iota(general_->perm.rbegin(), general_->perm.rend(), 0);
  if (ndim() == 1) {
    return;
  }
  if (enforce_linear_iteration_) {
    permute_dimensions(general_->perm);
    return;
  }
  const auto compare = [&](int64_t a, int64_t b) {
    for (const auto& op : general_->operands) {
      if (op.stride_bytes.empty() || op.will_resize) {
        continue;
      }
      const int order = compare_dims(op.stride_bytes, general_->shape, a, b, is_reduction_ && op.is_output);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  };
  // Insertion sort: the comparison is not transitive where operands have no preference, and ties keep their
  // order.
  for (int i = 1; i < ndim(); i++) {
    int inserted = i;
    for (int other = i - 1; other >= 0; other--) {
      const int order = compare(general_->perm[other], general_->perm[inserted]);
      if (order > 0) {
        std::swap(general_->perm[other], general_->perm[inserted]);
        inserted = other;
      } else if (order < 0) {
        break;
      }
    }
  }
  permute_dimensions(general_->perm);
}

void TensorIteratorBase::permute_dimensions(IntArrayRef perm) {
  const auto reorder = [&](IntArrayRef values) {
    DimVector result(values.size());
    for (size_t i = 0; i < perm.size(); i++) {
      result[i] = values[perm[i]];
    }
    return result;
  };
  general_->shape = reorder(general_->shape);
  for (auto& op : general_->operands) {
    if (!op.stride_bytes.empty()) {
      const DimVector strides = reorder(op.stride_bytes);
      op.stride_bytes.assign(strides.begin(), strides.end());
    }
  }
}

DimVector TensorIteratorBase::invert_perm(IntArrayRef input) const { return apply_perm_and_mul(input, 1); }

DimVector TensorIteratorBase::apply_perm_and_mul(IntArrayRef input, int mul) const {
  settle();
  TORCH_INTERNAL_ASSERT(!has_coalesced_dimensions_ && input.size() == general_->perm.size());
  DimVector result(input.size());
  for (size_t dim = 0; dim < input.size(); dim++) {
    result[general_->perm[dim]] = input[dim] * mul;
  }
  return result;
}

TensorIteratorBase::StrideVector TensorIteratorBase::compatible_stride(int64_t element_size) const {
  settle();
  StrideVector strides(ndim());
  int64_t next = element_size;
  bool overflows = false;
  for (int dim = 0; dim < ndim(); dim++) {
    strides[dim] = next;
    overflows |= __builtin_mul_overflow(next, general_->shape[dim], &next);
  }
  TORCH_CHECK(!overflows, "the result of shape ", IntArrayRef(general_->shape),
              " would have more bytes than 64 bits can count");
  return strides;
}

// ---- outputs

static TensorOptions original_options(const OperandInfo& op) {
  return op.original_tensor_base().defined() ? op.original_tensor_base().options() : op.options();
}

void TensorIteratorBase::allocate_or_resize_outputs() {
  bool is_row_major = true;
  for (int dim = 0; dim < ndim(); dim++) {
    is_row_major &= general_->perm[dim] == ndim() - 1 - dim;
  }
  for (int i = 0; i < num_outputs_; i++) {
    auto& op = general_->operands[i];
    if (op.tensor_base().defined() && !op.will_resize) {
      set_output_raw_strided(i, op.tensor_base().sizes(), {}, original_options(op));
      continue;
    }
    TORCH_INTERNAL_ASSERT(op.is_type_defined(), "no dtype for output ", i);
    const auto element_size = static_cast<int64_t>(c10::elementSize(op.target_dtype));
    op.stride_bytes = compatible_stride(element_size);
    const DimVector sizes = invert_perm(general_->shape);
    DimVector strides;
    if (!is_row_major) {
      strides = invert_perm(op.stride_bytes);
      for (auto& stride : strides) {
        stride /= element_size;
      }
    }
    set_output_raw_strided(i, sizes, strides, original_options(op));
    op.current_dtype = op.target_dtype;
  }
}

// ---- the fast set-up: when all operands have one memory layout, the iteration is one-dimensional

TensorIteratorBase::FastSetupType TensorIteratorBase::compute_fast_setup_type(const TensorIteratorConfig&) {
  if (is_reduction_ || !all_ops_same_shape_) {
    return FastSetupType::NONE;
  }
  bool contiguous = true;
  bool channels_last = !enforce_linear_iteration_;
  bool dense = !enforce_linear_iteration_;
  const TensorBase* like = nullptr;
  for (const auto& op : general_->operands) {
    const auto& t = op.tensor_base();
    if (!t.defined() || op.will_resize) {
      continue;
    }
    contiguous = contiguous && t.is_contiguous(MemoryFormat::Contiguous);
    channels_last = channels_last && t.is_contiguous(MemoryFormat::ChannelsLast);
    dense = dense && t.is_non_overlapping_and_dense() && (like == nullptr || like->strides() == t.strides());
    like = like == nullptr ? &t : like;
  }
  return contiguous      ? FastSetupType::CONTIGUOUS
         : channels_last ? FastSetupType::CHANNELS_LAST
         : dense         ? FastSetupType::NON_OVERLAPPING_DENSE
                         : FastSetupType::NONE;
}

bool TensorIteratorBase::fast_set_up(const TensorIteratorConfig& config) {
  const FastSetupType type = compute_fast_setup_type(config);
  if (type == FastSetupType::NONE) {
    return false;
  }
  DimVector strides;  // empty: contiguous
  if (type == FastSetupType::CHANNELS_LAST) {
    const auto channels_last = c10::get_channels_last_strides_2d(general_->shape);
    strides.assign(channels_last.begin(), channels_last.end());
  } else if (type == FastSetupType::NON_OVERLAPPING_DENSE) {
    for (const auto& op : general_->operands) {
      if (op.tensor_base().defined() && !op.will_resize) {
        strides.assign(op.tensor_base().strides().begin(), op.tensor_base().strides().end());
        break;
      }
    }
  }
  for (int i = 0; i < num_outputs_; i++) {
    auto& op = general_->operands[i];
    const bool has_layout = op.tensor_base().defined() && !op.will_resize;
    set_output_raw_strided(i, general_->shape, has_layout ? IntArrayRef() : IntArrayRef(strides),
                           original_options(op));
    op.current_dtype = op.target_dtype;
  }
  if (ndim() >= 1) {
    has_coalesced_dimensions_ |= ndim() > 1;
    general_->shape.assign(1, numel());
  }
  for (auto& op : general_->operands) {
    op.stride_bytes.assign(ndim(), static_cast<int64_t>(c10::elementSize(op.current_dtype)));
  }
  return true;
}

// ---- merging neighbouring dimensions that are contiguous to each other in every operand

void TensorIteratorBase::coalesce_dimensions() {
  if (ndim() <= 1) {
    return;
  }
  const auto can_merge = [&](int inner, int outer) {
    if (general_->shape[inner] == 1 || general_->shape[outer] == 1) {
      return true;
    }
    return std::all_of(general_->operands.begin(), general_->operands.end(), [&](const OperandInfo& op) {
      return general_->shape[inner] * op.stride_bytes[inner] == op.stride_bytes[outer];
    });
  };
  const auto copy_strides = [&](int to, int from) {
    for (auto& op : general_->operands) {
      op.stride_bytes[to] = op.stride_bytes[from];
    }
  };
  int last = 0;
  for (int dim = 1; dim < ndim(); dim++) {
    if (can_merge(last, dim)) {
      if (general_->shape[last] == 1) {
        copy_strides(last, dim);
      }
      general_->shape[last] *= general_->shape[dim];
    } else {
      last++;
      if (last != dim) {
        copy_strides(last, dim);
        general_->shape[last] = general_->shape[dim];
      }
    }
  }
  general_->shape.resize(last + 1);
  for (auto& op : general_->operands) {
    op.stride_bytes.resize(ndim());
  }
  has_coalesced_dimensions_ = true;
}

}  // namespace at::inline C10_ABI
