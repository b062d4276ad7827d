// Operations that a program brings: elementwise loops compiled from its own text.
//
// They are numbered behind those of the table, so that nodes, instructions, the search for equal ones and the names in a trace know
// them without a field more; `info` describes them like any other. An operation is never forgotten: pending expressions,
// captures and caches name it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/op.h"

namespace cuprum {

/// dst[i] = op(a[i], b[i], c[i]) for i in [0, n), as backend/cpu/loops.h says of its loops; compiled for the host.
using UserLoop = void (*)(std::int64_t n, void* dst, const void* a, const void* b, const void* c);

constexpr bool is_user_op(Op op) { return op > Op::count_; }

/// The operation of this loop; the same one for the same loop. `keep` is what the loop's code lives in. Throws Error where all
/// numbers are taken.
Op user_op(const std::string& name, int nin, const Signature& signature, UserLoop loop,
           std::shared_ptr<const void> keep);

UserLoop user_loop(Op op);
const OpInfo& user_info(Op op);

}  // namespace cuprum
