# Compiles hand-written sources where they stand instead of their copies in this tree: errors, warnings and the
# debugger name the files that are edited, and what changes there is compiled with no copy made first.

set(SOURCES_IN "" CACHE PATH "Folder of core, ops, cpu, cuda and python, to compile there; empty: the copies in this tree")
# Where the headers of ops, cpu and cuda have the names by which they are included.
set(IN_PLACE_HEADERS ${CMAKE_BINARY_DIR}/include)

# The files of the list ${name}, whose paths in this tree begin with `copies`, as those in SOURCES_IN/${folder} where they
# are there.
function(in_place name copies folder)
  if(NOT SOURCES_IN)
    return()
  endif()
  set(places "")
  foreach(path IN LISTS ${name})
    string(REGEX REPLACE "^${copies}/" "" inside "${path}")
    if(EXISTS "${SOURCES_IN}/${folder}${inside}")
      list(APPEND places "${SOURCES_IN}/${folder}${inside}")
    else()
      list(APPEND places "${path}")
    endif()
  endforeach()
  set(${name} ${places} PARENT_SCOPE)
endfunction()

function(link_in_place target name)
  file(CREATE_LINK ${target} ${IN_PLACE_HEADERS}/ATen/native/${name} SYMBOLIC)
endfunction()

# Include folders of `target`, in front of those of the tree, and what stands for them in compiled files.
function(include_in_place target scope)
  if(SOURCES_IN)
    target_include_directories(${target} BEFORE ${scope} ${IN_PLACE_HEADERS} ${SOURCES_IN}/core ${SOURCES_IN}/cuda)
  endif()
endfunction()

if(SOURCES_IN)
  file(REMOVE_RECURSE ${IN_PLACE_HEADERS})
  file(MAKE_DIRECTORY ${IN_PLACE_HEADERS}/ATen/native)
  file(GLOB places LIST_DIRECTORIES TRUE ${SOURCES_IN}/ops/* ${SOURCES_IN}/ops/runtime/*.h)
  foreach(place IN LISTS places ITEMS ${SOURCES_IN}/cpu ${SOURCES_IN}/cuda)
    get_filename_component(name ${place} NAME)
    if(NOT name STREQUAL runtime)
      link_in_place(${place} ${name})
    endif()
  endforeach()
  foreach(kind CORE OPS CPU SIMD CUDA)
    in_place(SOURCES_${kind} src "")
  endforeach()
endif()
