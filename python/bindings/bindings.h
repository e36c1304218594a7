// Tables of the generated functions, from which the module's initialisation fills modules and the Tensor
// type.
#pragma once
#include "prelude.h"

namespace at::python {

struct BindingRow {
  const char* module;  // the submodule, "" for the top level; null for a method of Tensor
  const char* name;
  FastFunction function;
  const char* doc;
};

/// Arrays of rows, each terminated by a row without a name; the outer array is terminated by null.
extern const BindingRow* const generated_rows[];
/// Slots of the Tensor type for Python's operators; terminated by slot 0.
extern const PyType_Slot generated_slots[];
/// Operators that accept a Python number where their schema says Tensor (PyTorch's
/// should_allow_numbers_as_tensors); terminated by null.
extern const char* const numbers_as_tensors_ops[];
/// Tag names in the order of their values; terminated by null.
extern const char* const tag_names[];

}  // namespace at::python
