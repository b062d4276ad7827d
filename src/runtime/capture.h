// Capturing: the work that a stream is given is kept instead of run, to be run as often as one likes, without being recorded and
// planned again. Buffers stay where they are and alive as long as a capture names them; what is written into them by hand between
// two launches is what the next one reads.
#pragma once

#include <memory>
#include <vector>

#include "runtime/primitives.h"
#include "runtime/stream.h"

namespace cuprum {

class Capture {
 public:
  /// Keeps a piece of work, and pins the memory that it names. Under the graph's lock.
  void add(const Kernel& kernel);
  void add(const Call& call);
  /// Hands all of it to a stream of the device. Throws IndexError where a device that computes at once finds a bad index.
  void launch(Stream& stream) const;

 private:
  struct Step {
    Kernel kernel;
    Primitive primitive;  // nothing: the kernel
    std::vector<View> in;
    View out;
    std::vector<Ref<Buffer>> memory;

    Call call() const { return {primitive, in, out}; }
  };
  template <class Work>
  Step& pinned_step(const Work& work);

  std::vector<std::unique_ptr<const Step>> steps_;
};

/// Throws Error where the stream captures: then it has no values to give.
void refuse_capture(const Stream& stream, const char* what);

}  // namespace cuprum
