// Which thread made a call: what a device finds wrong after the call has returned is told to that thread.
#pragma once

#include <atomic>
#include <deque>
#include <utility>

#include "core/ref.h"

namespace cuprum {

/// A thread that has made a call; known as long as somebody holds a reference, also when it has ended.
class Caller : public RefCounted<Caller> {
 public:
  /// The calling thread.
  static Ref<Caller> current();

  bool ended() const { return ended_.load(std::memory_order_acquire); }

 private:
  struct Farewell;
  std::atomic<bool> ended_{false};
};

/// One Record for each thread. That of a thread which has ended belongs to everybody: what it holds is told to whoever asks
/// next, for an error may come late or to another thread but must not be lost; and the next new thread takes it over, so that
/// there are never more records than there were threads at a time. Records never move. The backend guards it.
template <class Record>
class PerCaller {
 public:
  /// The record of a thread; `make(record)` prepares a new one.
  template <class Make>
  Record& of(const Ref<Caller>& caller, Make&& make) {
    for (Entry& e : entries_) {
      if (e.owner == caller) return e.record;
    }
    for (Entry& e : entries_) {
      if (!e.owner->ended()) continue;
      e.owner = caller;
      return e.record;
    }
    Record record = {};
    make(record);
    return entries_.emplace_back(caller, record).record;
  }

  /// The first record of which `found(record)` is true, and of which the calling thread is to be told; else nullptr.
  template <class Found>
  Record* told_here(Found&& found) {
    for (Entry& e : entries_) {
      if (found(e.record) && (e.owner->ended() || e.owner == Caller::current())) return &e.record;
    }
    return nullptr;
  }

 private:
  struct Entry {
    Entry(Ref<Caller> o, const Record& r) : owner(std::move(o)), record(r) {}
    Ref<Caller> owner;
    Record record;
  };
  std::deque<Entry> entries_;
};

}  // namespace cuprum
