<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// All operators: at::_ops.
#pragma once
% for include in view.includes:
#include <ATen/ops/${include}_ops.h>
% endfor
