// Generated from templates/src/batching.cpp.mako; not to be edited.
// How operators treat batched tensors: one record for each, and the formulas of those that have one.
#include <ATen/core/Tensor.h>
#include <ATen/native/Batching.h>
#include <ATen/ops/acme_rank_ops.h>
#include <ATen/ops/blend_ops.h>
#include <ATen/ops/fold_ops.h>
#include <ATen/ops/gauss_ops.h>
#include <ATen/ops/join_ops.h>
#include <ATen/ops/pour_ops.h>
#include <ATen/ops/probe_ops.h>
#include <ATen/ops/ramp_ops.h>
#include <ATen/ops/scale_ops.h>
#include <ATen/ops/special_knots_ops.h>
#include <ATen/ops/turn_ops.h>
#include <ATen/ops/update_ops.h>
#include <ATen/ops/window_ops.h>
#include <ATen/ops/window_copy_ops.h>
#include <ATen/TensorOperators.h>

namespace at::native {
namespace {

}  // namespace

const BatchRule batch_rules[] = {
    {&_ops::scale_Tensor::entry, BatchKind::Pointwise, "tt.", nullptr, nullptr, 0, false, false, false},
    {&_ops::scale__Tensor::entry, BatchKind::Pointwise, "tt.", nullptr, nullptr, 0, false, false, false},
    {&_ops::scale_out::entry, BatchKind::WritesOut, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::fold_dim::entry, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::fold_dim_out::entry, BatchKind::WritesOut, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::blend::entry, BatchKind::Composite, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::turn::entry, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::window::entry, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::window_copy::entry, BatchKind::Composite, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::gauss_out::entry, BatchKind::WritesOut, "", nullptr, nullptr, 0, true, false, false},
    {&_ops::ramp::entry, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::join::entry, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::join_out::entry, BatchKind::WritesOut, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::join_masks::entry, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::update::entry, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::acme_rank::entry, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::probe::entry, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::pour_::entry, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::special_knots::entry, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::turn_out::entry, BatchKind::WritesOut, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::window_copy_out::entry, BatchKind::WritesOut, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::ramp_out::entry, BatchKind::WritesOut, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::update_out::entry, BatchKind::WritesOut, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::update_functional::entry, BatchKind::Composite, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::pour_out::entry, BatchKind::WritesOut, "", nullptr, nullptr, 0, false, false, false},
    {&_ops::pour::entry, BatchKind::Composite, "", nullptr, nullptr, 0, false, false, false},
    {nullptr, BatchKind::Loop, "", nullptr, nullptr, 0, false, false, false},
};

}  // namespace at::native
