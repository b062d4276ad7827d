#include "expr/place.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "core/small_vector.h"
#include "expr/evaluate.h"
#include "expr/host_copy.h"
#include "runtime/capture.h"
#include "runtime/hand_over.h"
#include "runtime/spill.h"
#include "runtime/trace.h"

namespace cuprum {

namespace {

// The bytes of the storage, with which nobody computes: what is written meanwhile would be lost.
Ref<Buffer> idle_buffer(Storage& storage) {
  for (;;) {
    evaluate_storage(storage, Reason::not_fusable);
    if (storage.stays == 0) return storage.buffer;
    BlockingSection others_run;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

// Gives the storage memory on the accelerator. The bytes are taken at once; nobody waits for the accelerator.
void move(Storage& storage) {
  Backend& accelerator = *storage.backend->accelerator;
  Stream& way = uncaptured_stream(accelerator);
  const Ref<Buffer> there = accelerator.allocate(way, storage.nbytes);
  const Ref<Buffer> here = idle_buffer(storage);
  if (storage.backend == &accelerator) return;  // another thread came first
  if (storage.nbytes != 0) {
    const View to{
        {there.get(), 0}, dtype::uint8, Dims{static_cast<std::int64_t>(storage.nbytes)}, Dims{1}, there};
    const Touched touched{{}, {&to, 1}};
    const HandOver<Touched> hand_over(way, touched);
    const tracing::CopySpan copy(tracing::Kind::upload, way, here->data, storage.nbytes);
    upload_later(way, there->data, here->data, storage.nbytes, here->backend->first_stream());
  }
  keep_host_copy(storage, here->data);
  note_orphan(*here);
  storage.buffer = there;
  storage.backend = &accelerator;
}

bool captures(Backend& accelerator) { return current_stream(accelerator).capture != nullptr; }

// Says where a call computes, some arrays of which may be on the host's side of an accelerator.
class Meeting {
 public:
  void add(const Array& a) {
    Backend& b = a.backend();
    if (b.accelerator) {
      if (!accelerator_) accelerator_ = b.accelerator;
      large_ = large_ || (!a.is_number() && a.storage()->nbytes > host_side_limit());
    } else {
      others_.push_back(&b);
    }
  }
  // Where those on the host's side go; null: there is none, or all may stay.
  Backend* target(std::size_t nbytes) const {
    if (!accelerator_) return nullptr;
    const bool meets = std::find(others_.begin(), others_.end(), accelerator_) != others_.end();
    return meets || large_ || nbytes > host_side_limit() || captures(*accelerator_) ? accelerator_ : nullptr;
  }

 private:
  Backend* accelerator_ = nullptr;
  bool large_ = false;
  SmallVector<const Backend*, 8> others_;
};

void move_to(const Backend* accelerator, const Array& a) {
  if (a.backend().accelerator == accelerator) move(*a.storage());
}

// The one element of an array on the host's side, computed if need be.
std::optional<Scalar> number_of(const Array& a, const Backend& accelerator) {
  if (a.is_number()) return a.number();
  Storage& storage = *a.storage();
  evaluate_storage(storage, Reason::not_fusable);
  if (storage.backend->accelerator != &accelerator) return std::nullopt;  // it has moved meanwhile
  Scalar number;
  number.type = a.type();
  std::memcpy(number.bytes, storage.buffer->data + a.offset(), a.itemsize());
  return number;
}

}  // namespace

OnePlace::Stay::~Stay() {
  for (Storage* storage : storages) --storage->stays;
}

void OnePlace::Stay::add(const Array& a) {
  if (a.is_number() || !a.backend().accelerator) return;
  storages.push_back(a.storage().get());
  ++a.storage()->stays;
}

void OnePlace::meet(std::span<const Array* const> arrays, std::size_t nbytes) {
  stay_ = std::make_unique<Stay>();
  Meeting meeting;
  for (const Array* a : arrays) {
    if (a) meeting.add(*a);
  }
  Backend* const accelerator = meeting.target(nbytes);
  for (const Array* a : arrays) {
    if (a && accelerator) move_to(accelerator, *a);
  }
  for (const Array* a : arrays) {
    if (a) stay_->add(*a);
  }
}

void OnePlace::meet(std::span<const Array> arrays, std::size_t nbytes) {
  std::vector<const Array*> all;
  all.reserve(arrays.size());
  for (const Array& a : arrays) all.push_back(&a);
  meet(all, nbytes);
}

InputsInOnePlace::InputsInOnePlace(std::span<const Input> inputs, std::size_t nbytes, const Array* target)
    : given_(inputs) {
  Meeting meeting;
  if (target) meeting.add(*target);
  for (const Input& input : given_) {
    if (input.array) meeting.add(*input.array);
  }
  if (Backend* const accelerator = meeting.target(nbytes)) move_all(target, *accelerator);
  if (target) stay_.add(*target);
  for (const Input& input : given_) {
    if (input.array) stay_.add(*input.array);
  }
}

void InputsInOnePlace::move_all(const Array* target, Backend& accelerator) {
  where_ = &accelerator;
  if (target) move_to(&accelerator, *target);
  for (std::size_t i = 0; i < given_.size(); ++i) {
    settled_[i] = given_[i];
    const Array* a = given_[i].array;
    if (!a || a->backend().accelerator != &accelerator) continue;
    // Nobody writes a number. A capture reads it from memory, where the program may write before the next launch.
    if (const auto number =
            a->ndim() == 0 && !captures(accelerator) ? number_of(*a, accelerator) : std::nullopt)
      settled_[i] = Input(*number);
    else
      move_to(&accelerator, *a);
  }
  given_ = {settled_, given_.size()};
}

Backend& place_of_call(Backend& asked, std::span<const Array* const> in, std::size_t nbytes) {
  if (!host_sides_are_used()) [[likely]]
    return asked;
  if (in.empty()) return place_of_new(asked, nbytes);
  Backend& there = in[0]->backend();
  return same_device(there, asked) ? there : asked;
}

}  // namespace cuprum
