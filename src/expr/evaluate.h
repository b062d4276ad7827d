// Running schedules. All functions here expect the graph's lock to be held, and may let it go while a kernel runs: what the
// caller knew of the graph before, it looks at again.
#pragma once

#include <span>

#include "expr/lower.h"
#include "expr/node.h"

namespace cuprum {

/// Puts the results of `roots` (and of whatever else is alive below them) into memory.
void evaluate_nodes(std::span<const Ref<Node>> roots, Reason reason);

/// Evaluates `roots` straight into `targets` instead of memory of their own. Roots must have no storage, and nothing
/// that they read may overlap a target, except that one root may read its own as the identical view, or otherwise on a device
/// that writes over reads.
void evaluate_into(std::span<const Ref<Node>> roots, std::span<const Destination> targets, Reason reason);

/// The same for a node that an array still names, and names on, which stays pending. False, and nothing is done, where it takes more
/// than one kernel. What else is alive below it gets its memory by the way.
bool evaluate_temporary(const Ref<Node>& root, const Destination& target, Reason reason);

/// Afterwards the storage names a buffer, until the lock is next let go.
void evaluate_storage(Storage& storage, Reason reason);

/// Evaluates every pending node that reads `buffer`, directly or through dead nodes; `except` is a node being written.
void evaluate_readers(Buffer& buffer, Reason reason, const Node* except = nullptr);

}  // namespace cuprum
