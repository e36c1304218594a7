# Groups of sources that are compiled alike; their objects join the library ${LIBRARY_NAME}.

# What several small sources need is instantiated once when they are compiled together. Where each should be compiled
# alone, as after every change while one is worked on: -DUNITY_SOURCES=1.
set(UNITY_SOURCES 8 CACHE STRING "How many of the small sources are compiled together")

# Sources of one kind share their flags: glue is compiled for size and compile time, kernels for speed. They also share
# a compiled form of PRECOMPILED_HEADERS and their own HEADERS, if there are any (CMAKE_DISABLE_PRECOMPILE_HEADERS turns
# that off). SMALL_SOURCES are compiled UNITY_SOURCES at a time.
function(add_kind name)
  cmake_parse_arguments(PARSE_ARGV 1 kind "" "" "SOURCES;SMALL_SOURCES;OPTIONS;DEFINITIONS;HEADERS")
  if(NOT kind_SOURCES AND NOT kind_SMALL_SOURCES)
    return()
  endif()
  add_library(${name} OBJECT ${kind_SOURCES} ${kind_SMALL_SOURCES})
  if(kind_SMALL_SOURCES AND UNITY_SOURCES GREATER 1)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${UNITY_SOURCES})
    set_source_files_properties(${kind_SOURCES} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  target_link_libraries(${name} PRIVATE flags)
  if(SANITIZE)
    # The last level counts; the others take several times as long with the checks in.
    list(APPEND kind_OPTIONS -O1)
  endif()
  target_compile_options(${name} PRIVATE ${kind_OPTIONS})
  target_compile_definitions(${name} PRIVATE ${kind_DEFINITIONS})
  set(headers ${PRECOMPILED_HEADERS} ${kind_HEADERS})
  if(headers)
    target_precompile_headers(${name} PRIVATE ${headers})
  endif()
  target_sources(${LIBRARY_NAME} PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()

set(CPU_CAPABILITIES "" CACHE STRING
  "Copies of the vectorised kernels, as in avx2;avx512: all of default, avx2 and avx512 when empty")

# Loops over elements: those over functors, and the subjects in which most files are short.
set(SMALL_SIMD_SOURCES
  "/ufunc_cpu_|/(activation|complex|dropout|elementwise|embedding|factories|indexing|loss|padding)/simd/")

# Compiled once for each CPU capability; which one runs is chosen when the library is loaded (ATen/native/DispatchStub.h).
# Loops over elements are small sources in a build of several copies, which is made for other machines. One copy is what
# is built while one edits: each is compiled alone there, so that a change of a functor reaches one.
function(add_simd_kinds)
  cmake_parse_arguments(PARSE_ARGV 0 simd "" "" "SOURCES;HEADERS")
  set(known default)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND known avx2 avx512)
  endif()
  set(capabilities ${CPU_CAPABILITIES})
  if(NOT capabilities)
    set(capabilities ${known})
  endif()
  list(LENGTH capabilities copies)
  if(copies GREATER 1)
    set(loops ${simd_SOURCES})
    list(FILTER loops INCLUDE REGEX "${SMALL_SIMD_SOURCES}")
    list(FILTER simd_SOURCES EXCLUDE REGEX "${SMALL_SIMD_SOURCES}")
  endif()
  foreach(capability IN LISTS capabilities)
    if(NOT capability IN_LIST known)
      message(FATAL_ERROR "CPU_CAPABILITIES: got ${capability}, expected some of ${known} on ${CMAKE_SYSTEM_PROCESSOR}")
    endif()
    string(TOUPPER ${capability} name)
    target_compile_definitions(flags INTERFACE HAVE_${name}_CPU_DEFINITION)
    simd_options(${capability} options)
    add_kind(simd_${capability} SOURCES ${simd_SOURCES} SMALL_SOURCES ${loops} HEADERS ${simd_HEADERS} OPTIONS ${options}
      DEFINITIONS CPU_CAPABILITY=${name} CPU_CAPABILITY_${name})
  endforeach()
endfunction()

# Kernels need what only the higher levels do: products and sums fused, arrays of accumulators kept in registers. On
# x86-64 the default copy is for processors without AVX2, and takes half as long to compile with a few passes of those.
function(simd_options capability result)
  set(options -O3)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    if(capability STREQUAL default AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      set(options -O1 -fexpensive-optimizations -finline-small-functions -finline-functions -fstrict-aliasing
        -ftree-vectorize -fvect-cost-model=dynamic -fpeel-loops)
    endif()
    # GCC 12 takes its own vector intrinsics for reads of what was never written.
    list(APPEND options -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
  list(APPEND options -fno-trapping-math)
  if(capability STREQUAL avx2)
    list(APPEND options -march=x86-64-v3)
  elseif(capability STREQUAL avx512)
    list(APPEND options -march=x86-64-v4 -mprefer-vector-width=512)
  endif()
  set(${result} ${options} PARENT_SCOPE)
endfunction()
