# The linker's script of libcuprum.so, from cmake/exports.map.in. As a script (cmake -P) it writes the file OUTPUT: the API is what the
# OBJECTS, those of src/api, define for others; NM names its tool. Included, it asks for that when the library is linked.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(exports ${CMAKE_CURRENT_BINARY_DIR}/exports.map)
  set(api_objects $<FILTER:$<TARGET_OBJECTS:cuprum_objects>,INCLUDE,/src/api/>)
  set(has_parts OFF)  # that use what is private
  if(CUPRUM_PYTHON OR CUPRUM_HAS_CUDA)
    set(has_parts ON)
  endif()
  add_custom_command(
    OUTPUT ${exports}
    COMMAND ${CMAKE_COMMAND} "-DOBJECTS=${api_objects}" -DNM=${CMAKE_NM} -DOUTPUT=${exports} -DHAS_PARTS=${has_parts}
            -DPROJECT_VERSION_MAJOR=${PROJECT_VERSION_MAJOR} -DPROJECT_VERSION_MINOR=${PROJECT_VERSION_MINOR}
            -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/Exports.cmake
    DEPENDS ${api_objects} cmake/Exports.cmake cmake/exports.map.in
    VERBATIM)
  add_custom_target(cuprum_exports DEPENDS ${exports})
  add_dependencies(cuprum cuprum_exports)
  target_link_options(cuprum PRIVATE -Wl,-Bsymbolic-functions -Wl,--version-script=${exports})
  set_target_properties(cuprum PROPERTIES LINK_DEPENDS ${exports})
  return()
endif()

execute_process(COMMAND ${NM} -g --defined-only ${OBJECTS} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " [TDBR] [A-Za-z0-9_.]+" found "${text}")
list(TRANSFORM found REPLACE "^ [TDBR] " "")
# What is defined there for the library itself: constructors from its own types, and the friends that look into handles.
list(FILTER found EXCLUDE REGEX "_access[0-9]|3ops|5Array")
list(SORT found)
list(REMOVE_DUPLICATES found)
list(TRANSFORM found PREPEND "    ")
list(JOIN found ";\n" API)
string(APPEND API ";")
set(LOCAL "  local: *;\n")
set(PRIVATE "")
if(HAS_PARTS)
  set(LOCAL "")
  set(PRIVATE "CUPRUM_PRIVATE {
  global:
    extern \"C++\" {
      cuprum::*;
      typeinfo?for?cuprum::*;
      typeinfo?name?for?cuprum::*;
      vtable?for?cuprum::*;
      non-virtual?thunk?to?cuprum::*;
    };
  local: *;
};
")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/exports.map.in ${OUTPUT} @ONLY)
