// Texts that sources compiled at run time include, embedded when the library is built (cmake/EmbedHeaders.cmake), so that run-time
// compilation needs no files of ours.
#pragma once

#include <cstdint>
#include <span>

namespace cuprum {

struct EmbeddedHeader {
  const char* name;  // as sources include it: "kernels/types.h"
  const char* text;
};

/// Changes with any name or text: FNV-1a.
inline std::uint64_t fingerprint(std::span<const EmbeddedHeader> headers) {
  std::uint64_t h = 1469598103934665603u;
  for (const EmbeddedHeader& header : headers) {
    for (const char* text : {header.name, header.text}) {
      for (const char* c = text; *c != '\0'; ++c) h = (h ^ static_cast<unsigned char>(*c)) * 1099511628211u;
    }
  }
  return h;
}

}  // namespace cuprum
