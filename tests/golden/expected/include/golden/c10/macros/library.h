// Generated from templates/include/c10/macros/library.h.mako; not to be edited.
// Which library this is. Its types live in inline namespaces named C10_ABI, so that two libraries, or one and PyTorch,
// share a process without sharing a type; one translation unit can include only one of them.
#pragma once
#ifdef C10_LIBRARY_NAME
#error "headers of two tensor libraries in one translation unit: include one, exchange tensors by DLPack"
#endif
#define C10_LIBRARY_NAME "golden"
#define C10_ABI golden_v1
