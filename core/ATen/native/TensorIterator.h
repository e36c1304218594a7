// The place where kernels written for ATen look for the iterator.
#pragma once

#include <ATen/TensorIterator.h>
