// What the families of operations share: checks of new shapes, arrays from and to a few host integers, and the way a
// backend is called.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/op.h"
#include "expr/array.h"
#include "expr/engine.h"
#include "expr/host_copy.h"
#include "expr/place.h"
#include "runtime/debug.h"
#include "runtime/hand_over.h"
#include "runtime/lock.h"

namespace cuprum::ops {

/// Throws ValueError for negative dimensions, for more than kMaxDims and for more bytes than an address can count.
void check_shape(const char* function, const Dims& shape, dtype type);

/// 'C', 'F', 'A' or 'K' made 'C' or 'F' for a new array that looks like `a` in memory, as far as these two can say.
char settle_order(char order, const Array& a);

/// A 1-d int64 array of host integers; `keep` as in expr/host_copy.h.
Array from_integers(std::span<const std::int64_t> values, Backend& backend,
                    std::size_t keep = kHostCopyBytes);
/// All elements of an integer or bool array in C order (evaluates, unless the host knows them).
std::vector<std::int64_t> to_integers(const Array& a);
/// The one element of a 0-d array (evaluates, unless the host knows it).
std::int64_t to_integer(const Array& a);
bool to_truth(const Array& a);

/// `a` without writes through it.
inline Array read_only(Array a) {
  a.set_writeable(false);
  return a;
}
/// `a` as a value where it has no dimensions (see Array::is_value).
inline Array value_if_0d(Array a) {
  if (a.ndim() == 0) a.set_value(true);
  return a;
}

/// `value`, or a copy of it where `target` lies in the same memory and is about to be written.
Array detached(const Array& value, const Array& target);

/// Records a unary or binary operation whose loop is known to exist for `key`; operands are cast to it.
Array apply(Op op, dtype key, const Input& a);
Array apply(Op op, dtype key, const Input& a, const Input& b);
/// x where condition (bool) is true, else y; all broadcast.
Array choose_by(const Array& condition, const Input& x, const Input& y, dtype type);

/// Records a primitive along an axis of `a`, its other operand `more` if there is one; the result has `shape` and lies in memory as `strides` say.
Array record_along(Primitive&& primitive, const Array& a, int axis, dtype type, const Dims& shape,
                   const Dims& strides, const Array* more = nullptr);
/// Records a primitive whose result lies in C order.
Array record_dense(Primitive&& primitive, std::initializer_list<const Array*> in, dtype type,
                   const Dims& shape);

/// After a call that may find its operands wrong: NumPy raises in the call, and so does a device that computes at once. An
/// asynchronous one tells later (runtime/primitives.h).
void settle_on_host(std::span<const Array> results);

/// Calls a primitive that writes into memory there is, on the current stream, without the graph's lock and the GIL. The views
/// keep their memory alive meanwhile.
///
/// The arrays that it is made for come to one place; those of two devices are refused.
///
///     BackendCall call({&a, &result});
///     const View in = readable(a), out = writable(result);
///     call(Sort{}, {in}, out);
class BackendCall {
 public:
  explicit BackendCall(std::initializer_list<const Array*> arrays) : there_(arrays) {}
  explicit BackendCall(std::span<const Array* const> arrays) : there_(arrays) {}
  /// For a call that may have no operand to tell the device.
  explicit BackendCall(Backend& device) : there_({}), device_(device) {}

  Fault operator()(const Primitive& primitive, const std::vector<View>& in, const View& out) {
    return (*this)(primitive, Operands(in), Operands(&out, 1));
  }
  Fault operator()(const Primitive& primitive, Operands in, const View& out) {
    return (*this)(primitive, in, Operands(&out, 1));
  }
  Fault operator()(const Primitive& primitive, Operands in, Operands out) {
    const Call c{primitive, in, out};
    HandOver hand_over(stream(), c);
    if (is_quick(stream().device, c)) return hand_over.run();
    return run([&] { return hand_over.run(); });
  }
  std::shared_ptr<const CountedMask> count_true(const View& mask) {
    refuse_capture(stream(), "a mask");
    const Touched touched{{&mask, 1}};
    const HandOver hand_over(stream(), touched);
    return run([&] {
      return timed("count_true", touched, [&] { return stream().device.count_true(stream(), mask); });
    });
  }
  /// See Backend::order_statistics.
  bool order_statistics(const View& in, const Dims& kth, const View& out) {
    if (stream().capture) return false;
    const Touched touched{{&in, 1}, {&out, 1}};
    const HandOver hand_over(stream(), touched);
    return run([&] {
      return timed("order_statistics", touched,
                   [&] { return stream().device.order_statistics(stream(), in, kth, out); });
    });
  }

 private:
  Stream& stream() const { return current_stream(*device_.seen()); }

  template <class F>
  std::invoke_result_t<F&> timed(const char* name, const Touched& touched, F&& work) {
    return tracing::spanned(
        stream(), [&] { return tracing::note_of(name, touched.in, touched.out); }, work);
  }

  template <class F>
  std::invoke_result_t<F&> run(F&& work) {
    if (watched()) [[unlikely]]
      return observed(work);
    BlockingSection section;
    return work();
  }

  /// While debugging: waits for the device when the call is done; an error tells the place in the program.
  template <class F>
  std::invoke_result_t<F&> observed(F& work) {
    tracing::Note note;
    note.place = current_place();  // needs the GIL
    const tracing::Label label(std::move(note));
    try {
      BlockingSection section;
      auto result = work();
      if (debugging()) stream().synchronize();
      return result;
    } catch (Error& error) {
      note_place(error);
      throw;
    }
  }

  EngineLock lock_;
  OnePlace there_;
  OneDevice device_;
};

}  // namespace cuprum::ops
