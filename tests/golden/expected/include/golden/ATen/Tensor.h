// Generated from templates/include/ATen/Tensor.h.mako; not to be edited.
#pragma once
#include <ATen/core/Tensor.h>
