// Visibility of symbols. Everything is built hidden; the public API is marked with one of these.
#pragma once

#include <c10/macros/library.h>

#if defined(_WIN32)
#if defined(C10_BUILDING_LIBRARY)
#define C10_EXPORT __declspec(dllexport)
#else
#define C10_EXPORT __declspec(dllimport)
#endif
#define C10_IMPORT __declspec(dllimport)
#define C10_HIDDEN
#else
#define C10_EXPORT __attribute__((visibility("default")))
#define C10_IMPORT C10_EXPORT
#define C10_HIDDEN __attribute__((visibility("hidden")))
#endif

// One library contains the whole API, so ATen's three names mean the same.
#define C10_API C10_EXPORT
#define TORCH_API C10_API
#define TORCH_CUDA_CU_API C10_EXPORT
#define TORCH_CUDA_CPP_API C10_EXPORT
#define C10_CUDA_API C10_EXPORT
#define TORCH_PYTHON_API C10_EXPORT
#define C10_API_ENUM C10_API
