# Libraries of CUDA kernels, beside the library that loads them when the first CUDA device is used.
# One architecture by default, as machine code and as PTX that newer devices compile; -DCMAKE_CUDA_ARCHITECTURES=LIST
# chooses others.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 75)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
enable_language(CUDA)
set(CMAKE_CUDA_FLAGS_RELEASE "-DNDEBUG")
find_package(CUDAToolkit REQUIRED)

# A library of `ARGN`, sources in the tree, which uses the symbols of ${LIBRARY_NAME}.
function(add_cuda_library name)
  list(TRANSFORM ARGN REPLACE "^src/" "${PROJECT_SOURCE_DIR}/src/")
  add_library(${name} SHARED ${ARGN})
  target_include_directories(${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/include/${LIBRARY_NAME} ${PROJECT_SOURCE_DIR}/src ${CUDAToolkit_INCLUDE_DIRS})
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-O1 -Wall -Wno-unknown-pragmas -Wno-attributes ${HARDENING_OPTIONS}>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fno-gnu-unique>
    # 186: comparisons of unsigned integers with zero, in functors of all dtypes. The level is that of the code that
    # launches; kernels are always optimised in full.
    $<$<COMPILE_LANGUAGE:CUDA>:-O1 --expt-relaxed-constexpr --extended-lambda -diag-suppress=186
      -Xfatbin=-compress-all -Xcompiler=-Wno-unknown-pragmas>)
  set_target_properties(${name} PROPERTIES
    LINKER_LANGUAGE CXX CUDA_RUNTIME_LIBRARY Static BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
  # The runtime is linked statically: a machine without driver can load the library and finds no devices.
  target_link_libraries(${name} PRIVATE ${LIBRARY_NAME} CUDA::cudart_static ${CMAKE_DL_LIBS})
  target_link_options(${name} PRIVATE -Wl,-z,defs -Wl,--gc-sections -Wl,-z,nodelete ${HARDENING_LINK_OPTIONS})
  # Beside lib${LIBRARY_NAME}.so, which looks for it there.
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()
