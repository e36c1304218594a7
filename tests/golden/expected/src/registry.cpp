// Generated from templates/src/registry.cpp.mako; not to be edited.
// All operators of this library, registered with the dispatcher when it is loaded.
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
#include <ATen/core/dispatch/Dispatcher.h>

#include <iterator>

namespace at::inline C10_ABI {
namespace {

c10::OperatorEntry* const operators[] = {
    &_ops::acme_rank::entry,
    &_ops::blend::entry,
    &_ops::fold_dim::entry,
    &_ops::fold_dim_out::entry,
    &_ops::gauss_out::entry,
    &_ops::join::entry,
    &_ops::join_out::entry,
    &_ops::join_masks::entry,
    &_ops::pour_::entry,
    &_ops::pour_out::entry,
    &_ops::pour::entry,
    &_ops::probe::entry,
    &_ops::ramp::entry,
    &_ops::ramp_out::entry,
    &_ops::scale_Tensor::entry,
    &_ops::scale__Tensor::entry,
    &_ops::scale_out::entry,
    &_ops::special_knots::entry,
    &_ops::turn::entry,
    &_ops::turn_out::entry,
    &_ops::update::entry,
    &_ops::update_out::entry,
    &_ops::update_functional::entry,
    &_ops::window::entry,
    &_ops::window_copy::entry,
    &_ops::window_copy_out::entry,
};

// Runs when the library is loaded.
[[maybe_unused]] const bool registered = [] {
  c10::register_operators(operators, std::size(operators), "golden");
  return true;
}();

}  // namespace
}  // namespace at::inline C10_ABI
