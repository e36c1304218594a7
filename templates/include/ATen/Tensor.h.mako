<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
#pragma once
#include <ATen/core/Tensor.h>
