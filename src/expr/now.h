// What the CPU has in its memory, computed by the call: no node, no plan. The kernel is the one that nodes would become
// (expr/lower.cpp), so the bits are theirs. Nothing is done, and the answer says so, where an operand is pending or elsewhere, or where
// somebody captures or watches what is recorded.
#pragma once

#include <optional>
#include <span>

#include "expr/engine.h"
#include "runtime/debug.h"

namespace cuprum {

/// The first element of an array, where the CPU has it already (as view_now says). In a section (runtime/recording_lock.h) or with the graph's
/// lock, and good for as long.
std::byte* address_now(const Array& a);
/// Is it worth looking? Asked without either.
inline bool may_be_had_now(const Array& a) {
  return !watched() && a.backend().is_cpu && !a.storage()->named.load(std::memory_order_relaxed);
}

/// May the call itself fill a new array? Not where it has many elements, or is not the CPU's, or somebody captures or watches.
bool computes_now(Backend& backend, const Dims& shape, dtype type);

/// The result of a primitive that is done in no time (is_quick), of operands of the same device. Nothing: it is none of these, or it finds
/// fault with them.
std::optional<Array> call_now(Backend& backend, const Primitive& primitive, std::span<const Array* const> in,
                              dtype type, const Dims& shape);

/// A line of few elements (`is_few`), reduced to a number. An expression of a few operations over memory is computed by the same
/// kernel, and stays pending.
std::optional<Scalar> reduce_now(const ReduceSpec& spec, const Array& a);

/// `target[...] = op(inputs)` into a part of the target's memory, which nothing pending reads, where the kernel is so small that it runs
/// under the graph's lock, which is held (EngineOptions::small_bytes). An input may be an expression that dies with the statement,
/// of a few operations over memory: it is computed by the same kernel, and stays pending.
bool write_now(const Array& target, Op op, const Signature& signature, std::span<const Input> inputs);

}  // namespace cuprum
