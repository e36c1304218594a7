# Groups of sources that are compiled alike; their objects join the library ${LIBRARY_NAME}.

# Sources of one kind share their flags: glue is compiled for size and compile time, kernels for speed. They also share
# a compiled form of PRECOMPILED_HEADERS and their own HEADERS, if there are any (CMAKE_DISABLE_PRECOMPILE_HEADERS turns
# that off).
function(add_kind name)
  cmake_parse_arguments(PARSE_ARGV 1 kind "" "" "SOURCES;OPTIONS;DEFINITIONS;HEADERS")
  if(NOT kind_SOURCES)
    return()
  endif()
  add_library(${name} OBJECT ${kind_SOURCES})
  target_link_libraries(${name} PRIVATE flags)
  target_compile_options(${name} PRIVATE ${kind_OPTIONS})
  target_compile_definitions(${name} PRIVATE ${kind_DEFINITIONS})
  set(headers ${PRECOMPILED_HEADERS} ${kind_HEADERS})
  if(headers)
    target_precompile_headers(${name} PRIVATE ${headers})
  endif()
  target_sources(${LIBRARY_NAME} PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()

# Compiled once for each CPU capability; which one runs is chosen when the library is loaded (ATen/native/DispatchStub.h).
function(add_simd_kinds)
  # GCC 12 takes its own vector intrinsics for reads of what was never written.
  set(quiet $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  set(options -O3 -fno-trapping-math ${quiet})
  set(default_options ${options})
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    # What only processors without AVX2 run is vectorised, but not worth the quarter more that -O3 takes to compile.
    set(default_options -O2 -ftree-vectorize -fno-trapping-math $<$<CXX_COMPILER_ID:GNU>:-fvect-cost-model=dynamic>
      ${quiet})
  endif()
  add_kind(simd_default SOURCES ${ARGN} OPTIONS ${default_options}
    DEFINITIONS CPU_CAPABILITY=DEFAULT CPU_CAPABILITY_DEFAULT)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_definitions(flags INTERFACE HAVE_AVX2_CPU_DEFINITION HAVE_AVX512_CPU_DEFINITION)
    add_kind(simd_avx2 SOURCES ${ARGN} OPTIONS ${options} -march=x86-64-v3
      DEFINITIONS CPU_CAPABILITY=AVX2 CPU_CAPABILITY_AVX2)
    add_kind(simd_avx512 SOURCES ${ARGN} OPTIONS ${options} -march=x86-64-v4 -mprefer-vector-width=512
      DEFINITIONS CPU_CAPABILITY=AVX512 CPU_CAPABILITY_AVX512)
  endif()
endfunction()
