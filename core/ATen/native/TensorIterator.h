// The path under which kernels written for ATen include TensorIterator.
#pragma once

#include <ATen/TensorIterator.h>
