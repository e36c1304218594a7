// Generated from templates/include/ATen/NativeFunctions.h.mako; not to be edited.
// The declarations of all kernels.
#pragma once
#include <ATen/ops/acme_rank_native.h>
#include <ATen/ops/blend_native.h>
#include <ATen/ops/fold_native.h>
#include <ATen/ops/gauss_native.h>
#include <ATen/ops/join_native.h>
#include <ATen/ops/pour_native.h>
#include <ATen/ops/probe_native.h>
#include <ATen/ops/ramp_native.h>
#include <ATen/ops/scale_native.h>
#include <ATen/ops/special_knots_native.h>
#include <ATen/ops/turn_native.h>
#include <ATen/ops/update_native.h>
#include <ATen/ops/window_native.h>
#include <ATen/ops/window_copy_native.h>
