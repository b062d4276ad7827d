// Arrays of one call come to one place (CUPRUM_DEVICE=auto, runtime/host_side.h).
//
// A storage on the host's side of an accelerator is there while all that it meets is there too, and small. Before a call reads or
// writes, its arrays are looked at: if one of them is on the accelerator, if the result would be large, or if the work is being captured,
// those on the host move over, and the call computes there. A storage moves with all views and names of it, once, and never back.
// Nodes that were recorded before read the buffer that it had, as ever, and compute on the host; so what is computed where is settled when
// a call is recorded, and lazy and eager agree.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>

#include "core/small_vector.h"
#include "expr/engine.h"
#include "runtime/host_side.h"
#include "runtime/lock.h"

namespace cuprum {

/// While one lives its arrays stay where they are. Where there is a host's side at all, it has the graph's lock, though what it
/// lives around may let that go for a while.
class OnePlace {
 public:
  /// Brings the arrays to one place; null is none. `nbytes`: of the largest thing that the call will make or go through. Arrays of
  /// another device stay where they are, for the call to refuse.
  explicit OnePlace(std::initializer_list<const Array*> arrays, std::size_t nbytes = 0)
      : OnePlace(std::span(arrays.begin(), arrays.size()), nbytes) {}
  explicit OnePlace(std::span<const Array* const> arrays, std::size_t nbytes = 0) {
    if (host_sides_are_used()) [[unlikely]]
      meet(arrays, nbytes);
  }
  explicit OnePlace(std::span<const Array> arrays, std::size_t nbytes = 0) {
    if (host_sides_are_used()) [[unlikely]]
      meet(arrays, nbytes);
  }

 private:
  /// What one has done, to be undone at its end.
  struct Stay {
    ~Stay();
    void add(const Array& a);

    EngineLock lock;
    SmallVector<Storage*, 6> storages;
  };
  friend class InputsInOnePlace;

  void meet(std::span<const Array* const> arrays, std::size_t nbytes);
  void meet(std::span<const Array> arrays, std::size_t nbytes);

  std::unique_ptr<Stay> stay_;
};

/// The same for the inputs of an elementwise operation, whose arrays without dimensions go along as numbers. `target`: the array that
/// is written. Only where a host's side is used.
class InputsInOnePlace {
 public:
  InputsInOnePlace(std::span<const Input> inputs, std::size_t nbytes, const Array* target = nullptr);
  InputsInOnePlace(const InputsInOnePlace&) = delete;
  InputsInOnePlace& operator=(const InputsInOnePlace&) = delete;

  std::span<const Input> inputs() const { return given_; }
  Backend* where() const { return where_; }  // null: where the inputs are

 private:
  void move_all(const Array* target, Backend& accelerator);

  OnePlace::Stay stay_;
  std::span<const Input> given_;
  Backend* where_ = nullptr;
  Input settled_[kMaxInputs] = {Scalar(), Scalar(), Scalar()};
};

/// Where a call computes whose operands have come to one place: there; one without any, where its result of so many bytes is to be.
Backend& place_of_call(Backend& asked, std::span<const Array* const> in, std::size_t nbytes);

/// More than any array has: for a call that is the accelerator's in any case.
inline constexpr std::size_t kAccelerators = SIZE_MAX;

/// The array moves to its accelerator, if it is on the host's side of one.
inline void move_over(const Array& a) { const OnePlace there({&a}, kAccelerators); }

/// Do two devices belong together: the same one, or an accelerator and its host's side?
inline bool same_device(const Backend& a, const Backend& b) {
  return &a == &b || &a.known_as() == &b.known_as();
}

}  // namespace cuprum
