// A primitive for which a device has no form: the CPU's, with its operands copied to the host and its results back.
#pragma once

#include "runtime/backend.h"

namespace cuprum {

/// Waits for the stream; the results come behind all that it was given.
Fault call_on_host(Stream& stream, const Call& call);

}  // namespace cuprum
