// Operators on lists: `item` applies the operator of one tensor to item i of the lists. Runs of items that
// are alike are given to one loop, the others are processed one after the other.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/FunctionRef.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace at::native::foreach {

using ScalarList = ArrayRef<Scalar>;
using ItemFunction = c10::function_ref<Tensor(size_t i)>;

// The items from `first` to before `last` of lists, which differ from the leader only in their sizes, and on
// CUDA in the values of their scalars. The operator is called for the leader; its loop runs over all of them.
struct Run {
  std::initializer_list<TensorList> operands;  // the first is written to, if in place
  std::vector<Tensor>* results;                // null: in place
  bool reduces;                                // to one element each
  size_t first, last, leader;
  bool has_scalars = false;  // one for each item, not all the same
};

// Errors unless the lists are not empty and of one length.
void check_lists(std::initializer_list<TensorList> lists);
void check_lists(std::initializer_list<TensorList> lists, ScalarList scalars);
// The operand of the `.Tensor` overloads.
void check_scalar_tensor(const Tensor& scalar);
// The elements of a tensor with a scalar for each of `count` items.
std::vector<Scalar> unpack_scalars(const Tensor& scalars, size_t count);

// The results of `item`. A run has scalars of one type, where there are any; on the CPU, the same scalar.
std::vector<Tensor> map(std::initializer_list<TensorList> lists, ItemFunction item, ScalarList scalars = {});
// The same with reductions to one element.
std::vector<Tensor> reduce(TensorList list, ItemFunction item);
// `item` writes to the tensors of the first list.
void update(std::initializer_list<TensorList> lists, ItemFunction item, ScalarList scalars = {});

}  // namespace at::native::foreach

namespace at::native {

// False if the leader's kernel was not an elementwise loop on just these operands: then only the leader is
// done.
using foreach_run_fn = bool (*)(const foreach::Run&, foreach::ItemFunction);
DECLARE_DISPATCH(foreach_run_fn, foreach_run_stub)

}  // namespace at::native
