// Building nodes: shared by recording and by writing.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "expr/node.h"

namespace cuprum {

[[noreturn]] void throw_two_devices(const Backend& first, const Backend& second);

/// What makes elements of `type` of a value.
std::pair<Op, Signature> conversion(const Input& value, dtype type);

/// A node for `op` over `shape`, operands linked, inputs cast to the signature's dtypes. Not yet named by a storage.
/// `backend` null: where the inputs are, one of which is an array.
Ref<Node> make_node(Op op, const Signature& signature, std::span<const Input> inputs, const Dims& shape,
                    char order, Backend* backend = nullptr);

/// A node that converts `source` (same shape and layout order) to `type`.
Ref<Node> make_cast(const Ref<Node>& source, dtype type);

/// The layout of the result of `op` over these inputs.
Dims layout_of(std::span<const Input> inputs, const Dims& shape, dtype type, char order);

/// The first element of an array that the CPU has computed, without waiting for anything but its memory; nothing: it is pending or
/// elsewhere, or somebody captures or watches what is recorded.
std::optional<Scalar> element_now(const Array& a);
/// The same of the element at an offset of the storage of `a`.
std::optional<Scalar> element_now(const Array& a, std::int64_t offset);

/// A number that was computed of elements of `a`, which the CPU has: of the device of `a`.
HostNumber beside(const Array& a, const Scalar& number);
/// The same as an array.
Array number_beside(const Array& a, const Scalar& number);
/// An operation on numbers that the CPU has already: sooner computed than recorded.
std::optional<Scalar> compute_now(Op op, const Signature& signature, std::span<const Input> inputs);

/// `a[i] = 3` in memory that the host can write and that nobody has yet to read: no kernel is needed. The element of `target` at
/// an offset of its storage gets the first one of `value`; false: it has to be recorded. Throws ValueError when `target` is read-only.
bool store_element(const Array& target, std::int64_t offset, const Input& value);

/// Gives a node a storage of its own.
Array name_node(Ref<Node> node);

/// After recording: evaluates at once in eager mode, or when a bound was passed.
void enforce_bounds(Storage& storage);

}  // namespace cuprum
