// Generated from templates/include/ATen/core/Tensor.h.mako; not to be edited.
#pragma once
#include <ATen/core/TensorBody.h>
