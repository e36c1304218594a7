// The generated functions as rows: what the module's initialisation puts into modules and the Tensor type.
#pragma once
#include "prelude.h"

namespace at::python {

struct BindingRow {
  const char* module;  // submodule ("" is the top one); null for a method of Tensor
  const char* name;
  FastFunction function;
  const char* doc;
};

/// Lists of rows, each ended by a row without name; the list of lists ended by null.
extern const BindingRow* const generated_rows[];
/// Slots of the Tensor type that Python's operators go through; ended by slot 0.
extern const PyType_Slot generated_slots[];
/// Operators that take a number where their schema says Tensor; ended by null.
extern const char* const number_operators[];
/// In the order of their numbers; ended by null.
extern const char* const tag_names[];

}  // namespace at::python
