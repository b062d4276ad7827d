// Intrusive reference counting. The count is atomic because arrays travel between threads; nodes of the graph, which are touched
// under its lock, have another one (runtime/recording_lock.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace cuprum {

/// Base of reference-counted objects. `T` is the final type, so that no virtual destructor is needed.
/// `T` may define `static void destroy(T*)`; the default deletes.
template <class T>
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  void incref() const { count_.fetch_add(1, std::memory_order_relaxed); }
  void decref() const {
    // Nobody can count up from the last reference but its owner: no atomic step is needed to drop it.
    bool may_be_found = false;
    if constexpr (requires(const T& t) { t.found_without_reference; })
      may_be_found = static_cast<const T*>(this)->found_without_reference;
    if (!may_be_found && count_.load(std::memory_order_acquire) == 1)
      return T::destroy(const_cast<T*>(static_cast<const T*>(this)));
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      T::destroy(const_cast<T*>(static_cast<const T*>(this)));
    }
  }
  /// The first reference, to an object that nobody knows yet.
  void set_first_reference() const { count_.store(1, std::memory_order_release); }
  /// For whoever knows an object without a reference to it. False: it is on its way out. A `T` of which this is asked has a member
  /// `found_without_reference`, true in objects that it may be asked of.
  bool incref_if_alive() const {
    std::uint32_t count = count_.load(std::memory_order_relaxed);
    while (count != 0 && !count_.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel)) {
    }
    return count != 0;
  }
  std::uint32_t use_count() const { return count_.load(std::memory_order_acquire); }

  static void destroy(T* object) { delete object; }

 private:
  mutable std::atomic<std::uint32_t> count_{0};
};

/// Owning pointer to a `RefCounted` object.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* p) : p_(p) {
    if (p_) p_->incref();
  }
  Ref(const Ref& o) : Ref(o.p_) {}
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Ref& operator=(Ref o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Ref() {
    if (p_) p_->decref();
  }

  /// Takes over a reference that was counted already.
  static Ref adopt(T* p) {
    Ref ref;
    ref.p_ = p;
    return ref;
  }

  T* get() const { return p_; }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }
  bool operator==(const Ref& o) const { return p_ == o.p_; }

 private:
  T* p_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  T* const object = new T(std::forward<Args>(args)...);
  object->set_first_reference();
  return Ref<T>::adopt(object);
}

}  // namespace cuprum
