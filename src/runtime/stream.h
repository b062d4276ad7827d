// Streams, and the order between them.
//
// A stream is an ordered queue of a device. A program may spread its work over several and say nothing of order: what it
// computes is what it would compute on one. So every buffer keeps who used it: the last write and the reads since, as stamps
// (a stream and a number on it). Before work is handed to a stream, the stream is made to wait for what other streams have still
// to do with its operands: reads come behind the last write, writes behind everything. On one stream that is a comparison.
//
// A stream that waits for another waits for all that the other has been given so far, and remembers it (a vector clock), so that a
// pair of streams exchanges one event for many operands. Stamps, clocks and their order are guarded by the graph's lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace cuprum {

class Backend;
class Capture;  // runtime/capture.h
class Stream;

/// A point in the work of a stream, or none. Every buffer and every block of a pool keeps some: 8 bytes.
class Stamp {
 public:
  Stamp() = default;
  Stamp(int stream, std::uint64_t number) : bits_(number << kStreamBits | static_cast<unsigned>(stream)) {}

  explicit operator bool() const { return bits_ != 0; }  // the first number of a stream is 1
  std::uint64_t number() const { return bits_ >> kStreamBits; }
  int index() const { return static_cast<int>(bits_ & ((1u << kStreamBits) - 1)); }
  Stream& stream() const;

  static constexpr int kStreamBits = 12;

 private:
  std::uint64_t bits_ = 0;
};

/// What was done with a piece of memory, as far as others have to come behind it.
class Uses {
 public:
  Uses() = default;
  Uses(Uses&& other) noexcept
      : write_(std::exchange(other.write_, {})),
        read_(std::exchange(other.read_, {})),
        more_(std::move(other.more_)) {}
  Uses& operator=(Uses&& other) noexcept {
    write_ = std::exchange(other.write_, {});
    read_ = std::exchange(other.read_, {});
    more_ = std::move(other.more_);
    return *this;
  }
  Uses copy() const;

  /// Makes `stream` wait: before a read for the last write, before a write for everything.
  inline void before_read(Stream& stream) const;
  inline void before_write(Stream& stream) const;
  /// The work has been handed over.
  void read_at(const Stamp& stamp) {
    if (!read_ || read_.index() == stamp.index()) [[likely]]
      read_ = stamp;
    else
      add_read(stamp);
  }
  void written_at(const Stamp& stamp) {
    write_ = stamp;
    read_ = {};
    if (more_) [[unlikely]]
      more_.reset();
  }

  /// Whoever comes behind these comes behind those as well: two pieces of memory have become one.
  void add(const Uses& others);

  /// The use that says where the memory is at home: the last read, or the write; none: it was not used. A stream that writes what
  /// others read gets other memory for the next, and does not wait for them.
  Stamp last() const { return more_ && !more_->empty() ? more_->back() : read_ ? read_ : write_; }
  Stamp write() const { return write_; }
  /// Is all of it known to be done?
  bool finished() const;
  /// Waits on the host, and tells nobody of errors.
  void wait() const;
  template <class F>
  void each(F&& f) const {
    if (write_) f(write_);
    if (read_) f(read_);
    if (!more_) return;
    for (const Stamp& stamp : *more_) f(stamp);
  }

 private:
  void come_behind_reads(Stream& stream) const;
  void add_read(const Stamp& stamp);

  Stamp write_;
  Stamp read_;                                // the first stream's that read it since
  std::unique_ptr<std::vector<Stamp>> more_;  // those of other streams, one each
};

struct StreamOptions {
  bool non_blocking = false;  // CUDA's: does not wait for the legacy default stream of others
  int priority = 0;           // CUDA's: lower numbers go first

  bool operator==(const StreamOptions&) const = default;
};

/// As it stands here: a stream of a device whose work is done when a call returns. Streams are never destroyed: a buffer may
/// name one for as long as it lives. A device gives out again those that their owners have dropped (Backend::take_stream).
class Stream {
 public:
  explicit Stream(Backend& device, StreamOptions options = {});
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Backend& device;
  const StreamOptions options;
  const int index;  // among all streams of the process

  /// The handle by which others name it: the device's own; where it has none, the address of this object, for none is ever
  /// destroyed.
  virtual std::uintptr_t native() const { return reinterpret_cast<std::uintptr_t>(this); }
  /// Has the device done all that it was given here? Asks, and gives it nothing.
  virtual bool done() { return true; }
  /// Waits for it; throws what the device found wrong.
  virtual void synchronize() {}
  /// What is handed over from now on comes behind all that `other` has been given so far.
  virtual void wait_for(Stream& other) {}
  /// The same for a native stream of others, and the other way round.
  virtual void wait_for_native(std::uintptr_t other) {}
  virtual void release_to_native(std::uintptr_t other) {}
  /// Calls a function of the host behind all that was given so far. It must not use the device.
  virtual void launch_host(const std::function<void()>& function) { function(); }
  /// Its owner leaves it for now: a stream of others may be gone when we come back.
  virtual void leave() {}

  /// What keeps the work that it is given, instead of the device; null: nothing does. Guarded by the graph's lock.
  std::shared_ptr<Capture> capture;

  /// Work has been handed over: its stamp. A number means that whatever was handed over before it was given is in the queue.
  Stamp mark() { return {index, handed_.fetch_add(1) + 1}; }
  std::uint64_t handed() const { return handed_.load(); }
  bool is_finished(std::uint64_t number) const { return finished_.load() >= number; }
  /// Asks the device, and remembers what is finished. A device that has failed does no more work.
  bool poll() noexcept;
  /// Everything up to `number` is done: the host has waited for it.
  void note_finished(std::uint64_t number);
  /// Under the graph's lock.
  void come_behind(const Stamp& stamp);

 private:
  std::atomic<std::uint64_t> handed_{0};
  std::atomic<std::uint64_t> finished_{0};
  std::vector<std::uint64_t> behind_;  // by index of a stream: up to which number this one comes behind it
};

void Uses::before_read(Stream& stream) const {
  if (write_ && write_.index() != stream.index) [[unlikely]]
    stream.come_behind(write_);
}
void Uses::before_write(Stream& stream) const {
  before_read(stream);
  if (read_ && (read_.index() != stream.index || more_)) [[unlikely]]
    come_behind_reads(stream);
}

/// The stream of this thread's work on a device: the device's first one, unless the thread has chosen another.
Stream& current_stream(Backend& device);
/// That, or the device's first one while it captures: for what a capture finds done.
Stream& uncaptured_stream(Backend& device);
/// Null: the first one. Returns what was chosen before.
Stream* set_current_stream(Backend& device, Stream* stream);

/// For tests: streams no longer wait for each other.
void plant_missing_order(bool missing);

}  // namespace cuprum
