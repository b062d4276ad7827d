#include "runtime/on_host.h"

#include <memory>
#include <vector>

namespace cuprum {

namespace {

/// The bytes of a view from its lowest to its highest, on the host. They lie there as on the device, gaps and all: a copy without
/// gaps would need a kernel first.
class HostTwin {
 public:
  explicit HostTwin(const View& view) : device_(view) {
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
      if (view.shape[d] == 0) return;
      (view.strides[d] < 0 ? low_ : high_) += (view.shape[d] - 1) * view.strides[d];
    }
    high_ += static_cast<std::int64_t>(itemsize(view.type));
    bytes_ = std::make_unique<std::byte[]>(size());
    dense_ = static_cast<std::size_t>(element_count(view.shape)) * itemsize(view.type) == size();
  }

  View view() const {
    return {bytes_ ? bytes_.get() - low_ : nullptr, device_.type, device_.shape, device_.strides, {}};
  }
  void fetch(Stream& stream) const {
    if (bytes_) stream.device.copy_to_host(stream, bytes_.get(), at_device(), size());
  }
  void fetch_gaps(Stream& stream) const {
    if (!dense_) fetch(stream);
  }
  void store(Stream& stream) const {
    if (bytes_) stream.device.copy_from_host(stream, at_device(), bytes_.get(), size());
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(high_ - low_); }
  std::byte* at_device() const { return device_.data.address() + low_; }

  const View& device_;
  std::int64_t low_ = 0, high_ = 0;  // from the first element, in bytes
  bool dense_ = false;
  std::unique_ptr<std::byte[]> bytes_;  // none: there are no elements
};

std::vector<View> views_of(const std::vector<HostTwin>& twins) {
  std::vector<View> views;
  for (const HostTwin& twin : twins) views.push_back(twin.view());
  return views;
}

}  // namespace

Fault call_on_host(Stream& stream, const Call& call) {
  const std::vector<HostTwin> in(call.in.begin(), call.in.end()), out(call.out.begin(), call.out.end());
  for (const HostTwin& twin : in) twin.fetch(stream);
  for (const HostTwin& twin : out) twin.fetch_gaps(stream);
  const std::vector<View> from = views_of(in), to = views_of(out);
  const Fault fault = cpu_backend().call(cpu_backend().first_stream(), {call.primitive, from, to});
  for (const HostTwin& twin : out) twin.store(stream);
  return fault;
}

}  // namespace cuprum
