// NVRTC: text in, machine code out. The library is opened at the first compilation; it needs no GPU.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/embedded_headers.h"

namespace cuprum::cuda {

/// What decides the code that is made of a source, apart from the source itself.
struct Target {
  int architecture = 90;  // of the device
  bool machine_code = true;
  std::vector<std::string> flags;
};

/// The best target for a device of this architecture: machine code, or PTX where NVRTC does not know it yet. Its one flag says so.
Target plain_target_for(int architecture);
/// The same with the flags of generated kernels.
Target target_for(int architecture);

/// Has the library been opened? Opening takes 5 to 12 ms: not on a thread that somebody waits for.
bool nvrtc_is_open();

/// "13.0"
std::string nvrtc_version();

/// What there is to say of a source beside its text.
struct SourceFacts {
  const char* file = "cuprum.cu";                // its name in messages
  std::span<const EmbeddedHeader> headers = {};  // that it may include beside those of jit/headers.h
  std::span<const std::string> names = {};  // name expressions: instances of templates that are to be made
};

struct Compilation {
  std::string image;  // CUBIN, or PTX; empty: it failed
  std::string log;
  std::vector<std::string> symbols;  // what the name expressions are called in the image
};

Compilation compile(const std::string& source, const Target& target, const SourceFacts& facts = {});

/// A number that changes with the texts that sources include (jit/headers.h).
unsigned long long headers_fingerprint();

}  // namespace cuprum::cuda
