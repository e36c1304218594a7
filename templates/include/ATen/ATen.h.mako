<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// The whole C++ API. Including only the ATen/ops/*.h that a file needs compiles faster.
#pragma once
#include <ATen/DLConvertor.h>
#include <ATen/Dispatch.h>
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/Tensor.h>
#include <ATen/TensorIndexing.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
