// What a device finds wrong with matrices after the call has returned, as throw_late_index_error (backend.h)
// says of indices.
#pragma once

#include <cstdint>

namespace cuprum {

/// Throws LinAlgError; the number of the matrix is told where it is one of a stack.
[[noreturn]] void throw_late_matrix_error(const char* function, const char* message, bool stacked,
                                          std::int64_t number);

}  // namespace cuprum
