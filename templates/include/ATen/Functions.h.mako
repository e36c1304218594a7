<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// All functions of the library.
#pragma once
% for include in view.includes:
#include <ATen/ops/${include}.h>
% endfor
