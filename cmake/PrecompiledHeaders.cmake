# Headers that nearly every file includes are read once per target instead of once per file, which halves the time of a build
# without a compiler cache. A file still includes what it uses: the build with AddressSanitizer has none of this
# (CMakePresets.json), and tools/lint.sh reads the files without it.
#
# The names stand in angle brackets, which CMake copies as they are: a path of this folder would be another key of the
# compiler cache in every clone. A precompiled header of clang has the times of its files in it, which no cache keeps.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(precompile ON)
else()
  set(precompile OFF)
endif()
option(CUPRUM_PRECOMPILE "Read the headers that most files include once per target" ${precompile})

set(CUPRUM_COMMON_HEADERS
    <algorithm> <array> <atomic> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory> <mutex> <optional> <span>
    <sstream> <string> <string_view> <utility> <variant> <vector> <expr/array.h> <runtime/backend.h>)

# The common headers, and more that this target's files have in common.
function(cuprum_precompile target)
  if(CUPRUM_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${CUPRUM_COMMON_HEADERS} ${ARGN})
  endif()
endfunction()
