#include "runtime/stream.h"

#include <algorithm>
#include <string>
#include <thread>

#include "cuprum/error.h"
#include "runtime/backend.h"
#include "runtime/lock.h"
#include "runtime/trace.h"

namespace cuprum {

namespace {

constexpr int kMostStreams = 1 << Stamp::kStreamBits;
std::atomic<int> streams_made{0};
std::atomic<Stream*> all_streams[kMostStreams] = {};  // by index
std::atomic<bool> order_is_missing{false};

// By number of the device; made by the first choice of a thread. Freed with the thread.
struct Choices {
  Stream* of[kMostDevices] = {};
};
thread_local Choices* choices __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace

Stream& Stamp::stream() const { return *all_streams[index()].load(std::memory_order_acquire); }

Uses Uses::copy() const {
  Uses uses;
  uses.write_ = write_;
  uses.read_ = read_;
  if (more_) uses.more_ = std::make_unique<std::vector<Stamp>>(*more_);
  return uses;
}

void Uses::come_behind_reads(Stream& stream) const {
  each([&](const Stamp& stamp) {
    if (stamp.index() != stream.index) stream.come_behind(stamp);
  });
}

void Uses::add_read(const Stamp& stamp) {
  if (!more_) more_ = std::make_unique<std::vector<Stamp>>();
  const auto same = std::ranges::find(*more_, stamp.index(), &Stamp::index);
  if (same != more_->end()) {
    *same = stamp;
    return;
  }
  std::erase_if(*more_, [](const Stamp& s) { return s.stream().is_finished(s.number()); });
  more_->push_back(stamp);
}

void Uses::add(const Uses& others) {
  const auto merge = [](Stamp& mine, const Stamp& theirs) {
    if (mine && mine.index() != theirs.index()) return false;
    if (!mine || mine.number() < theirs.number()) mine = theirs;
    return true;
  };
  others.each([&](const Stamp& stamp) {
    if (merge(write_, stamp) || merge(read_, stamp)) return;
    if (!more_) more_ = std::make_unique<std::vector<Stamp>>();
    for (Stamp& mine : *more_) {
      if (merge(mine, stamp)) return;
    }
    more_->push_back(stamp);
  });
}

bool Uses::finished() const {
  bool all = true;
  each([&](const Stamp& stamp) { all = all && stamp.stream().is_finished(stamp.number()); });
  return all;
}

void Uses::wait() const {
  each([](const Stamp& stamp) {
    // synchronize() would raise an error that the device has yet to tell, and here nobody would hear it.
    Stream& stream = stamp.stream();
    while (!stream.is_finished(stamp.number()) && !stream.poll()) std::this_thread::yield();
  });
}

Stream::Stream(Backend& device, StreamOptions options)
    : device(device), options(options), index(streams_made.fetch_add(1)) {
  if (index >= kMostStreams)
    throw Error("cuprum: there are " + std::to_string(kMostStreams) + " streams already");
  all_streams[index].store(this, std::memory_order_release);
}

bool Stream::poll() noexcept {
  const std::uint64_t number = handed();
  try {
    if (!done()) return false;
  } catch (...) {  // told to whoever asks for values
  }
  note_finished(number);
  return true;
}

void Stream::note_finished(std::uint64_t number) {
  std::uint64_t known = finished_.load();
  while (known < number && !finished_.compare_exchange_weak(known, number)) {
  }
}

void Stream::come_behind(const Stamp& stamp) {
  Stream& other = stamp.stream();
  if (other.is_finished(stamp.number())) return;
  const auto at = static_cast<std::size_t>(other.index);
  if (at < behind_.size() && behind_[at] >= stamp.number()) return;
  if (order_is_missing.load(std::memory_order_relaxed)) [[unlikely]]
    return;
  const std::uint64_t number = other.handed();  // read before the event is recorded
  tracing::spanned(
      *this, [&] { return tracing::note_of_wait(other); }, [&] { wait_for(other); });
  behind_.resize(std::max({behind_.size(), at + 1, other.behind_.size()}));
  for (std::size_t i = 0; i < other.behind_.size(); ++i) behind_[i] = std::max(behind_[i], other.behind_[i]);
  behind_[at] = std::max(behind_[at], number);
}

Stream& current_stream(Backend& device) {
  if (!choices) [[likely]]
    return device.first_stream();
  Stream* chosen = choices->of[device.number];
  return chosen ? *chosen : device.first_stream();
}

Stream& uncaptured_stream(Backend& device) {
  Stream& current = current_stream(device);
  const EngineLock lock;
  return current.capture ? device.first_stream() : current;
}

Stream* set_current_stream(Backend& device, Stream* stream) {
  static thread_local struct Keeper {
    ~Keeper() { delete std::exchange(choices, nullptr); }
  } keeper;
  (void)keeper;
  if (!choices) {
    if (!stream) return nullptr;
    choices = new Choices;
  }
  return std::exchange(choices->of[device.number], stream);
}

void plant_missing_order(bool missing) { order_is_missing.store(missing); }

}  // namespace cuprum
