// Generated from templates/include/ATen/Functions.h.mako; not to be edited.
// All functions of the library.
#pragma once
#include <ATen/ops/acme_rank.h>
#include <ATen/ops/blend.h>
#include <ATen/ops/fold.h>
#include <ATen/ops/gauss.h>
#include <ATen/ops/join.h>
#include <ATen/ops/pour.h>
#include <ATen/ops/probe.h>
#include <ATen/ops/ramp.h>
#include <ATen/ops/scale.h>
#include <ATen/ops/special_knots.h>
#include <ATen/ops/turn.h>
#include <ATen/ops/update.h>
#include <ATen/ops/window.h>
#include <ATen/ops/window_copy.h>
