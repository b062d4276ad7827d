// Arrays over memory that is there already: somebody else's, or a part of a block.
#pragma once

#include <optional>

#include "expr/overlap.h"
#include "ndarray.h"

namespace cuprum::python {

/// An array over memory of others at an address of `backend`; `owner` is kept until the last view has gone. Throws
/// ValueError where the device cannot use that address.
Array borrow_memory(Backend& backend, std::byte* data, dtype type, const Dims& shape, const Dims& strides,
                    bool writeable, PyObject* owner, const char* function);

/// An array in a vector of bytes, `offset` bytes behind its start; throws as numpy.ndarray does where it does not fit.
Array array_in_block(const Array& block, std::int64_t offset, dtype type, const Dims& shape,
                     const std::optional<Dims>& strides, char order);

}  // namespace cuprum::python
