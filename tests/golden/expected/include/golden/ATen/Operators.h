// Generated from templates/include/ATen/Operators.h.mako; not to be edited.
// All operators: at::_ops.
#pragma once
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
