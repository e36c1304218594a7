<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// The declarations of all kernels.
#pragma once
% for include in view.includes:
#include <ATen/ops/${include}_native.h>
% endfor
