// Calls that are given a stream. What streams are is in ops/streams.h.
#pragma once

#include "ndarray.h"
#include "ops/streams.h"

namespace cuprum::python {

using ops::on_stream;
using ops::StreamHandle;

/// The stream of a `stream=` argument, a cuprum.cuda.Stream; null for None.
Stream* stream_given(nb::handle stream, const char* function);

}  // namespace cuprum::python
