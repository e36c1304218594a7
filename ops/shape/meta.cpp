// Meta function of cat.

#include <ATen/MemoryOverlap.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/cat_meta.h>

namespace at::meta {

namespace {

// Empty one-dimensional tensors can be concatenated with any shape: a legacy of the time before zero sizes,
// when lists were built up from them.
bool is_skipped(const Tensor& t) { return t.dim() == 1 && t.sizes()[0] == 0; }

// The inputs' common properties, as far as the kernel can use them.
struct CatPlan {
  int64_t valid;  // the first input that is not skipped; the number of inputs when there is none
  bool all_contiguous = true;
  bool all_same_dtype = true;
  bool all_same_sizes_and_stride = true;
};

int64_t first_valid(const ITensorListRef& tensors) {
  int64_t i = 0;
  for (const Tensor& t : tensors) {
    if (!is_skipped(t)) break;
    ++i;
  }
  return i;
}

MemoryFormat common_memory_format(const ITensorListRef& tensors) {
  std::optional<MemoryFormat> common;
  for (const Tensor& t : tensors) {
    const MemoryFormat format = t.suggest_memory_format();
    if (format == MemoryFormat::Contiguous || (common && *common != format)) return MemoryFormat::Contiguous;
    common = format;
  }
  return common.value_or(MemoryFormat::Contiguous);
}

void check_shapes_except(const Tensor& first, const Tensor& second, int64_t dim, int64_t index) {
  TORCH_CHECK(first.dim() == second.dim(), "Tensors must have same number of dimensions: got ", first.dim(),
              " and ", second.dim());
  for (int64_t i = 0; i < first.dim(); ++i) {
    TORCH_CHECK(i == dim || first.sizes()[i] == second.sizes()[i],
                "Sizes of tensors must match except in dimension ", dim, ". Expected size ", first.sizes()[i],
                " but got size ", second.sizes()[i], " for tensor number ", index, " in the list.");
  }
}

// The size along `dim`; sets the plan's flags, too.
int64_t survey(const ITensorListRef& tensors, int64_t dim, ScalarType dtype, MemoryFormat memory_format,
               CatPlan& plan) {
  const Tensor& model = tensors[plan.valid];
  int64_t size_at_dim = 0;
  int64_t index = 0;
  bool overflow = false;
  for (const Tensor& t : tensors) {
    plan.all_same_dtype &= t.scalar_type() == dtype;
    if (is_skipped(t)) {
      plan.all_contiguous = false;
    } else {
      check_shapes_except(model, t, dim, index);
      overflow |= __builtin_add_overflow(size_at_dim, t.sizes()[dim], &size_at_dim);
      plan.all_contiguous &= t.is_contiguous(memory_format);
      plan.all_same_sizes_and_stride &= t.sizes() == model.sizes() && t.strides() == model.strides();
    }
    ++index;
  }
  TORCH_CHECK(!overflow, "cat(): the size of the result in dimension ", dim, " overflows");
  return size_at_dim;
}

void check_no_zero_dim(const ITensorListRef& tensors) {
  int64_t index = 0;
  for (const Tensor& t : tensors) {
    TORCH_CHECK(t.dim() > 0, "zero-dimensional tensor (at position ", index, ") cannot be concatenated");
    ++index;
  }
}

void check_apart(const Tensor& result, const ITensorListRef& tensors) {
  for (const Tensor& t : tensors) at::assert_no_overlap(result, t);
}

}  // namespace

TORCH_PRECOMPUTE_META_FUNC(cat)(const ITensorListRef& tensors, int64_t dim) {
  TORCH_CHECK_VALUE(!tensors.empty(), "cat(): expected a non-empty list of Tensors");
  check_no_zero_dim(tensors);
  dim = legacy_cat_wrap_dim(dim, tensors);

  CatPlan plan{first_valid(tensors)};
  const MemoryFormat memory_format = common_memory_format(tensors);
  ScalarType dtype = at::native::promoted_type_of(tensors);
  const Tensor& result = maybe_get_output();
  const bool has_result = result.defined();
  if (has_result) {
    TORCH_CHECK_TYPE(canCast(dtype, result.scalar_type()),
                     "cat(): input types can't be cast to the desired output type ", result.scalar_type());
    dtype = result.scalar_type();
  }

  DimVector sizes(1, 0);
  const bool any_valid = plan.valid < static_cast<int64_t>(tensors.size());
  TensorOptions options = tensors[any_valid ? plan.valid : 0].options().dtype(dtype);
  if (any_valid) {
    const Tensor& model = tensors[plan.valid];
    sizes.assign(model.sizes().begin(), model.sizes().end());
    sizes[dim] = survey(tensors, dim, dtype, memory_format, plan);
  }
  if (has_result && any_valid) check_apart(result, tensors);  // before a resize that would be in vain
  set_output_raw_strided(0, sizes, {}, options.memory_format(memory_format));

  if (has_result) {
    // The result's strides, kept or given on resize, matter as much as the inputs'.
    plan.all_contiguous &= result.is_contiguous(memory_format);
    if (any_valid) {
      at::assert_no_internal_overlap(result);
      check_apart(result, tensors);  // it may have grown
    }
  }
  return TORCH_PRECOMPUTE_STRUCT(cat)()
      .set_dim(dim)
      .set_valid(plan.valid)
      .set_all_contiguous(plan.all_contiguous)
      .set_all_same_dtype(plan.all_same_dtype)
      .set_all_same_sizes_and_stride(plan.all_same_sizes_and_stride)
      .set_memory_format(memory_format);
}

}  // namespace at::meta
