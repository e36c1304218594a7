# Generated from templates/${view.template}; not to be edited.
# The Python module: one binary for CPython 3.10 and later, linked to the library beside it in the package.
find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
file(GLOB binding_sources CONFIGURE_DEPENDS RELATIVE <%text>${CMAKE_CURRENT_SOURCE_DIR}</%text> bindings/*.cpp bindings/*/*.cpp)
set(hot_sources bindings/parser/parser.cpp bindings/tensor/tensor.cpp bindings/tensor/indexing.cpp
  bindings/operators/operators.cpp)
set(prelude bindings/prelude.h)
foreach(list binding_sources hot_sources prelude)
  in_place(<%text>${list}</%text> bindings python/bindings/)
endforeach()
add_library(python_module MODULE <%text>${binding_sources}</%text>)
set_target_properties(python_module PROPERTIES OUTPUT_NAME _C PREFIX "" SUFFIX ".abi3.so"
  LIBRARY_OUTPUT_DIRECTORY <%text>${CMAKE_BINARY_DIR}</%text>/python/${view.name})
target_include_directories(python_module PRIVATE <%text>$<$<BOOL:${SOURCES_IN}>:${SOURCES_IN}/python/bindings></%text> bindings)
# The interpreter provides the C API: libpython is not linked.
target_include_directories(python_module SYSTEM PRIVATE <%text>${Python3_INCLUDE_DIRS}</%text>)
target_compile_options(python_module PRIVATE -O1 <%text>${HARDENING_GUARD}</%text>)
target_link_options(python_module PRIVATE <%text>${HARDENING_LINK_OPTIONS}</%text>)
target_compile_definitions(python_module PRIVATE PACKAGE_VERSION="<%text>${LIBRARY_WHEEL_VERSION}</%text>")
set_source_files_properties(<%text>${hot_sources}</%text> PROPERTIES COMPILE_OPTIONS -O2
  SKIP_PRECOMPILE_HEADERS ON)
target_precompile_headers(python_module PRIVATE <algorithm> <memory> <%text>${prelude}</%text> <ATen/core/Tensor.h>)
target_link_libraries(python_module PRIVATE flags ${view.name})
set_target_properties(python_module PROPERTIES INSTALL_RPATH "$ORIGIN/lib")
install(TARGETS python_module LIBRARY DESTINATION python/${view.name})
