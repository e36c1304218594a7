// TORCH_LIBRARY and its kin: operators and kernels added by programs and extensions.
//
//   TORCH_LIBRARY(mine, m) { m.def("scale(Tensor self, float by) -> Tensor"); }
//   TORCH_LIBRARY_IMPL(mine, CPU, m) { m.impl("scale", TORCH_FN(scale_cpu)); }
#pragma once
#include <ATen/core/Library.h>
#include <ATen/core/Tensor.h>

#define TORCH_FN(fn) (::torch::CompileTimeFunction<&fn>())
#define TORCH_SELECTIVE_NAME(name) name
#define TORCH_SELECTIVE_SCHEMA(schema) schema

#define C10_LIBRARY_BLOCK(kind, ns, key, id, m)                                                              \
  static void C10_CONCATENATE(torch_library_init_, id)(::torch::Library&);                                   \
  static const ::torch::detail::TorchLibraryInit C10_CONCATENATE(torch_library_block_, id)(                  \
      ::torch::Library::kind, &C10_CONCATENATE(torch_library_init_, id), #ns, key, C10_FILE_NAME, __LINE__); \
  static void C10_CONCATENATE(torch_library_init_, id)(::torch::Library & m)

// Defines the operators of namespace `ns`; once per namespace in a process.
#define TORCH_LIBRARY(ns, m) C10_LIBRARY_BLOCK(DEF, ns, ::std::nullopt, C10_CONCATENATE(ns, C10_UID), m)
// Adds operators to a namespace.
#define TORCH_LIBRARY_FRAGMENT(ns, m) \
  C10_LIBRARY_BLOCK(FRAGMENT, ns, ::std::nullopt, C10_CONCATENATE(ns, C10_UID), m)
// Kernels for one key; namespace `_` for fallbacks and for names that carry their namespace.
#define TORCH_LIBRARY_IMPL(ns, k, m)                                                      \
  C10_LIBRARY_BLOCK(IMPL, ns, ::std::optional<::c10::DispatchKey>(::c10::DispatchKey::k), \
                    C10_CONCATENATE(ns, C10_CONCATENATE(k, C10_UID)), m)
// Only the library object, to keep in a variable.
#define MAKE_TORCH_LIBRARY(ns) \
  ::torch::Library(::torch::Library::DEF, #ns, ::std::nullopt, C10_FILE_NAME, __LINE__)
#define MAKE_TORCH_LIBRARY_IMPL(ns, k)                                                                      \
  ::torch::Library(::torch::Library::IMPL, #ns, ::std::optional<::c10::DispatchKey>(::c10::DispatchKey::k), \
                   C10_FILE_NAME, __LINE__)
