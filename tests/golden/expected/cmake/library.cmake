# Generated from templates/cmake/library.cmake.mako; not to be edited.
set(LIBRARY_NAME golden)
set(LIBRARY_VERSION 0.1.0)
set(LIBRARY_WHEEL_VERSION 0.1.0)
set(LIBRARY_ABI_VERSION 1)

set(SOURCES_CORE
)

set(SOURCES_GLUE
  src/autogen_0.cpp
  src/autograd_0.cpp
  src/batching.cpp
  src/operators_0.cpp
  src/register_BackendSelect.cpp
  src/register_CPU_0.cpp
  src/register_CompositeExplicitAutogradNonFunctional_0.cpp
  src/register_CompositeExplicitAutograd_0.cpp
  src/register_CompositeImplicitAutograd_0.cpp
  src/register_Meta_0.cpp
  src/register_PrivateUse1_0.cpp
  src/register_QuantizedCPU_0.cpp
  src/register_SparseCPU_0.cpp
  src/registry.cpp
  src/signatures_0.cpp
  src/stubs_0.cpp
  src/ufunc_cpu.cpp
)

set(SOURCES_OPS
)

set(SOURCES_CPU
)

set(SOURCES_SIMD
  src/ufunc_cpu_scale.cpp
)

set(SOURCES_CUDA
  src/cuda_table.cpp
  src/register_cuda_CUDA_0.cu.cpp
  src/ufunc_cuda.cpp
  src/ufunc_cuda_scale.cu
)

set(SOURCES_PYTHON
  python/bindings/functions_0.cpp
  python/bindings/index.cpp
)
