// _grouped_mm: products of groups of rows, columns or of pieces of the contracted dimension, one by one.
#include <ATen/core/Tensor.h>

#include <ATen/ops/_grouped_mm_native.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/select.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <vector>

namespace at::native {

namespace {

struct GroupedOperands {
  const Tensor &left, &right;
  std::vector<int64_t> ends;  // of the groups; none on Meta

  bool by_rows() const { return left.dim() == 2 && right.dim() == 3; }
  bool by_columns() const { return left.dim() == 3 && right.dim() == 2; }
};

void check_operands(const Tensor& a, const Tensor& b, const std::optional<Tensor>& offs) {
  const ScalarType dtype = a.scalar_type();
  TORCH_CHECK(dtype == kFloat || dtype == kBFloat16 || dtype == kHalf,
              "_grouped_mm(): expected self to be Float32, BFloat16 or Float16 matrix, got ", dtype);
  TORCH_CHECK(b.scalar_type() == dtype, "_grouped_mm(): expected operands of one dtype, but got ", dtype,
              " and ", b.scalar_type());
  for (const Tensor* t : {&a, &b}) {
    TORCH_CHECK(t->dim() == 2 || t->dim() == 3, "_grouped_mm(): operands have to be 2 or 3d, got ", t->dim(),
                "d");
  }
  TORCH_CHECK(a.size(-1) == b.size(-2),
              "_grouped_mm(): contraction dimension of operands must match, got shapes ", a.sizes(), " and ",
              b.sizes());
  const bool has_offs = offs && offs->defined(), batched = a.dim() == 3 && b.dim() == 3;
  TORCH_CHECK(
      has_offs != batched,
      "_grouped_mm(): have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d");
  if (batched) {
    TORCH_CHECK(a.size(0) == b.size(0), "_grouped_mm(): batched dimension has to match, got ", a.size(0),
                " and ", b.size(0));
    return;
  }
  TORCH_CHECK(offs->dim() == 1, "_grouped_mm(): offs has to be 1D, got ", offs->dim(), "D");
  TORCH_CHECK(offs->scalar_type() == kInt, "_grouped_mm(): offsets have to be int32, got ",
              offs->scalar_type());
  for (const Tensor* t : {&a, &b}) {
    TORCH_CHECK(t->dim() == 2 || t->size(0) == offs->size(0),
                "_grouped_mm(): matrix batch sizes have to match, got ", t->size(0), " and ", offs->size(0),
                " offsets");
  }
}

// The ends of the groups, which may leave a rest of the divided dimension.
std::vector<int64_t> ends_of(const Tensor& offs, int64_t size) {
  const Tensor given = offs.to(TensorOptions().device(kCPU).dtype(kLong)).contiguous();
  const auto* first = given.const_data_ptr<int64_t>();
  std::vector<int64_t> ends(first, first + given.numel());
  int64_t last = 0;
  for (const int64_t end : ends) {
    TORCH_CHECK(end >= last && end <= size, "_grouped_mm(): expected offs to ascend up to ", size, ", got ",
                end, " after ", last);
    last = end;
  }
  return ends;
}

Tensor group_of(const Tensor& t, int64_t divided, int64_t group, int64_t begin, int64_t length) {
  return t.dim() == 3 ? t.select(0, group) : t.narrow(divided, begin, length);
}

Tensor multiply_groups(const GroupedOperands& x, const Tensor& result) {
  int64_t begin = 0;
  for (size_t i = 0; i < x.ends.size(); ++i) {
    const auto group = static_cast<int64_t>(i);
    const int64_t length = x.ends[i] - begin;
    const Tensor left = group_of(x.left, x.by_rows() ? 0 : 1, group, begin, length);
    const Tensor right = group_of(x.right, x.by_columns() ? 1 : 0, group, begin, length);
    group_of(result, x.by_rows() ? 0 : 1, group, begin, length).copy_(at::mm(left, right));
    begin = x.ends[i];
  }
  return result;
}

}  // namespace

Tensor _grouped_mm(const Tensor& self, const Tensor& mat2, const std::optional<Tensor>& offs,
                   const std::optional<Tensor>& bias, std::optional<ScalarType> out_dtype) {
  check_operands(self, mat2, offs);
  TORCH_CHECK(!bias || !bias->defined(), "_grouped_mm(): bias is not supported yet");
  TORCH_CHECK(!out_dtype || *out_dtype == self.scalar_type(),
              "_grouped_mm(): output dtype must match that of the operands, ", self.scalar_type());
  if (self.dim() == 3 && mat2.dim() == 3) return at::bmm(self, mat2);
  DimVector sizes{self.size(-2), mat2.size(-1)};
  GroupedOperands operands{self, mat2, {}};
  if (!operands.by_rows() && !operands.by_columns()) sizes.insert(sizes.begin(), offs->size(0));
  Tensor result = at::zeros(sizes, self.options());
  if (self.is_meta()) return result;
  const int64_t divided = operands.by_rows()      ? self.size(0)
                          : operands.by_columns() ? mat2.size(1)
                                                  : self.size(1);
  operands.ends = ends_of(*offs, divided);
  return multiply_groups(operands, result);
}

}  // namespace at::native
