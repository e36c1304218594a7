// The iteration planner: shapes, promotion, merging of dimensions, overlap, outputs, 32-bit pieces.
#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/TensorIterator.h>
#include <ATen/ViewUtils.h>
#include <ATen/iterator/TensorIteratorInternal.h>
#include <ATen/native/TypeProperties.h>

#include "check.h"

using namespace at;

namespace {

TensorBase make(IntArrayRef sizes, ScalarType dtype = kFloat) { return at::detail::empty_cpu(sizes, dtype); }

TensorBase transposed(const TensorBase& t) {
  return at::detail::make_view(t, {t.sizes()[1], t.sizes()[0]}, {t.strides()[1], t.strides()[0]}, 0);
}

TensorIterator binary(const TensorBase& a, const TensorBase& b) {
  const TensorBase undefined;
  return TensorIterator::borrowing_binary_op(undefined, a, b);
}

void test_contiguous_is_one_dimension() {
  const auto a = make({2, 3, 4}), b = make({2, 3, 4});
  auto iter = binary(a, b);
  CHECK_EQ(iter.ndim(), 1);
  CHECK_EQ(iter.numel(), 24);
  CHECK(iter.is_contiguous());
  CHECK(iter.output_base().sizes() == a.sizes());
  CHECK_EQ(iter.strides(0)[0], 4);
}

void test_broadcast() {
  const auto a = make({2, 1, 4}), b = make({3, 1});
  auto iter = binary(a, b);
  CHECK(iter.output_base().sizes() == IntArrayRef({2, 3, 4}));
  CHECK_EQ(iter.ndim(), 3);
  CHECK_EQ(iter.strides(1)[1], 0);
  CHECK_EQ(iter.strides(2)[0], 0);
  const auto c = make({5});
  CHECK_THROWS(binary(a, c), c10::Error, "must match the size of tensor b (5)");
}

void test_layout_of_output() {
  const auto a = make({4, 3}), b = make({4, 3});
  const auto at_ = transposed(a), bt = transposed(b);
  auto iter = binary(at_, bt);
  CHECK_EQ(iter.ndim(), 1);
  CHECK(iter.output_base().strides() == at_.strides());
  const auto cl = at::detail::empty_cpu({2, 3, 4, 5}, kFloat, false, MemoryFormat::ChannelsLast);
  const auto bias = at::detail::empty_cpu({1, 3, 1, 1}, kFloat);
  auto mixed = binary(cl, bias);
  CHECK(mixed.output_base().is_contiguous(MemoryFormat::ChannelsLast));
}

void test_merging() {
  const auto a = make({2, 3, 8});
  const auto part = at::detail::make_view(a, {2, 3, 4}, {24, 8, 1}, 0);
  const auto b = make({2, 3, 4});
  auto iter = binary(part, b);
  CHECK_EQ(iter.ndim(), 2);
  CHECK_EQ(iter.shape()[0], 4);
  CHECK_EQ(iter.shape()[1], 6);
}

void test_promotion() {
  const auto f = make({2}), i = make({2}, kInt), l0 = make({}, kLong), d0 = make({}, kDouble),
             b = make({2}, kBool);
  *l0.mutable_data_ptr<int64_t>() = 7;
  *d0.mutable_data_ptr<double>() = 0.5;
  CHECK_EQ(native::promoted_type(f, i), kFloat);
  CHECK_EQ(native::promoted_type(i, l0), kInt);
  CHECK_EQ(native::promoted_type(i, d0), kDouble);
  CHECK_EQ(native::promoted_type(b, l0), kLong);
  CHECK_EQ(native::promoted_type(f, d0), kFloat);
  const auto wrapped = make({}, kDouble);
  wrapped.unsafeGetTensorImpl()->set_wrapped_number(true);
  CHECK_EQ(native::promoted_type(i, wrapped), kFloat);
  CHECK_EQ(native::promoted_type(make({2}, kHalf), wrapped), kHalf);
  CHECK_EQ(native::promoted_type(make({}, kHalf), wrapped), kHalf);
  CHECK_EQ(native::promoted_type(make({2}, kHalf), make({2}, kBFloat16)), kFloat);
  CHECK_EQ(native::promoted_type(make({2}, kByte), make({2}, kChar)), kShort);
  CHECK_EQ(native::promoted_type(make({2}, kFloat), make({}, kComplexDouble)), kComplexFloat);
}

void test_numbers_are_held_by_their_operand() {
  const auto f = make({3});
  const auto l0 = make({}, kLong);
  *l0.mutable_data_ptr<int64_t>() = 7;
  auto iter = binary(f, l0);
  CHECK_EQ(iter.common_dtype(), kFloat);
  CHECK_EQ(*static_cast<float*>(iter.data_ptr(2)), 7.0f);
  CHECK_EQ(iter.strides(2)[0], 0);
  CHECK_EQ(iter.scalar_value<double>(2), 7.0);
  // A copy holds its own.
  TensorIterator copy(iter);
  CHECK(copy.data_ptr(2) != iter.data_ptr(2));
  CHECK_EQ(*static_cast<float*>(copy.data_ptr(2)), 7.0f);
}

void test_dtype_checks() {
  const auto f = make({3}), i = make({3}, kInt);
  CHECK_THROWS(TensorIterator::borrowing_binary_op(i, f, i), c10::Error, "result type Float can't be cast");
  CHECK_THROWS(TensorIteratorConfig().add_output(f).add_const_input(i).build(), c10::Error,
               "Found dtype Float but expected Int");
  const TensorBase undefined;
  TensorIterator iter;
  iter.build_borrowing_binary_float_op(undefined, i, i);
  CHECK_EQ(iter.dtype(), kFloat);
  TensorIterator comparison;
  comparison.build_borrowing_comparison_op(undefined, f, f);
  CHECK_EQ(comparison.dtype(0), kBool);
  CHECK_EQ(comparison.common_dtype(), kFloat);
}

void test_overlap() {
  const auto a = make({6});
  const auto first = at::detail::make_view(a, {4}, {1}, 0), last = at::detail::make_view(a, {4}, {1}, 2);
  CHECK_THROWS(TensorIterator::borrowing_binary_op(first, last, last), c10::Error, "unsupported operation");
  const auto expanded = at::detail::make_view(a, {4}, {0}, 0);
  CHECK_THROWS(TensorIterator::borrowing_binary_op(expanded, last, last), c10::Error,
               "more than one element");
  const auto element = at::detail::make_view(a, {}, {}, 0);
  CHECK_THROWS(TensorIterator::borrowing_binary_op(a, a, element), c10::Error, "unsupported operation");
  auto inplace = TensorIterator::borrowing_binary_op(first, first, first);
  CHECK_EQ(inplace.numel(), 4);
}

void test_outputs() {
  const auto a = make({2, 3}), out = make({0});
  auto iter = TensorIterator::borrowing_binary_op(out, a, a);
  CHECK(out.sizes() == a.sizes());
  CHECK_THROWS(TensorIterator::borrowing_binary_op(a, a, make({2, 2, 3})), c10::Error,
               "doesn't match the broadcast");
}

void test_meta_has_no_data() {
  const auto a = at::detail::empty_meta({2, 3}, kFloat), b = at::detail::empty_meta({3}, kFloat);
  auto iter = binary(a, b);
  CHECK(iter.output_base().is_meta());
  CHECK(iter.output_base().sizes() == IntArrayRef({2, 3}));
}

void test_more_bytes_than_there_are() {
  const auto one = make({1});
  const auto huge = at::detail::make_view(one, {int64_t{1} << 62}, {0}, 0);
  CHECK_THROWS(binary(huge, one), c10::Error, "more bytes than 64 bits can count");
}

// Every element is visited once, wherever a range begins and ends.
void test_ranges() {
  const auto a = make({3, 4, 5});
  const auto b = at::detail::make_view(a, {5, 3, 4}, {1, 20, 5}, 0);
  const auto c = make({5, 3, 4});
  for (int64_t begin : {0, 1, 7, 19, 37}) {
    for (int64_t end : {38, 41, 59, 60}) {
      auto iter = binary(b, c);
      int64_t visited = 0;
      iter.serial_for_each([&](char**, const int64_t*, int64_t n0, int64_t n1) { visited += n0 * n1; },
                           {begin, end});
      CHECK_EQ(visited, end - begin);
    }
  }
}

void test_split_to_32_bits() {
  const auto a = at::detail::empty_meta({1 << 16, 1 << 16}, kFloat);
  auto iter = binary(a, a);
  CHECK(!iter.can_use_32bit_indexing());
  // Without data there are no strides to split; a plan on the CPU has them.
  const auto base = make({1});
  const auto huge = at::detail::make_view(base, {1 << 16, 1 << 16}, {0, 0}, 0);
  auto reduced = TensorIteratorConfig()
                     .set_check_mem_overlap(false)
                     .resize_outputs(false)
                     .check_all_same_dtype(false)
                     .add_output(huge)
                     .add_const_input(huge)
                     .build();
  int64_t total = 0;
  for (auto& piece : reduced.with_32bit_indexing()) {
    CHECK(piece.can_use_32bit_indexing());
    total += piece.numel();
  }
  CHECK_EQ(total, int64_t(1) << 32);
}

}  // namespace

int main() {
  check::run("contiguous_is_one_dimension", test_contiguous_is_one_dimension);
  check::run("broadcast", test_broadcast);
  check::run("layout_of_output", test_layout_of_output);
  check::run("merging", test_merging);
  check::run("promotion", test_promotion);
  check::run("numbers_are_held_by_their_operand", test_numbers_are_held_by_their_operand);
  check::run("dtype_checks", test_dtype_checks);
  check::run("overlap", test_overlap);
  check::run("outputs", test_outputs);
  check::run("meta_has_no_data", test_meta_has_no_data);
  check::run("more_bytes_than_there_are", test_more_bytes_than_there_are);
  check::run("ranges", test_ranges);
  check::run("split_to_32_bits", test_split_to_32_bits);
  return check_result();
}
