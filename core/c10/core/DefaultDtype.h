// The default dtype of factory functions.
#pragma once

#include <c10/core/ScalarTypeToTypeMeta.h>

namespace c10::inline C10_ABI {

/// A floating type; TypeError for others.
C10_API void set_default_dtype(caffe2::TypeMeta dtype);
C10_API caffe2::TypeMeta get_default_dtype();
C10_API ScalarType get_default_dtype_as_scalartype();
/// The complex type whose parts have the default dtype.
C10_API caffe2::TypeMeta get_default_complex_dtype();

}  // namespace c10::inline C10_ABI
