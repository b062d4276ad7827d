// Data larger than a device: a function of arrays over memory of the program of any size, chunk by chunk.
//
//   cp::array roots(const std::vector<cp::array>& in);  // of the chunks of all inputs
//   cp::map_chunks(roots, {{x.data(), {n, 3}}}, {y.data(), {n, 3}});
//
// Chunks are parts of the first axis. On the CPU nothing is copied; on a device with memory of its own, uploading, computing and
// downloading overlap, on three streams.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cuprum/options.h"

namespace cuprum {

/// Elements in memory of the program, C order: what chunks are read from and written to.
struct host_array {
  void* data = nullptr;
  dtype type = dtype::float64;
  shape_type shape = {};

  template <class T>
  host_array(T* elements, shape_type extents)
      : data(const_cast<std::remove_const_t<T>*>(elements)),
        type(dtype_of<std::remove_const_t<T>>),
        shape(std::move(extents)) {}
};

/// What is called with the chunks of all inputs. It must not write them.
using chunk_function = std::function<array(const std::vector<array>& chunks)>;
/// What puts the results of two chunks together, in their order.
using combine_function = std::function<array(const array& total, const array& part)>;

/// Of map_chunks.
struct chunk_options {
  by_name named = by_name();
  std::size_t chunk_bytes = 0;  // of a chunk's inputs; 0: it follows from the memory that is free
};

/// A chunk has failed. The chunks before it have been written, and of itself nothing (Python: cuprum.ChunkError).
class ChunkError : public Error {
 public:
  ChunkError(const std::string& text, std::int64_t chunk, std::int64_t first, std::int64_t last)
      : Error(text), index(chunk), start(first), stop(last) {}

  std::int64_t index;        // its number
  std::int64_t start, stop;  // its part of the axis
};

/// Calls a function on chunks of memory of the program, and writes the results to `out`, one after the other along the first axis.
/// `out` may be an input.
void map_chunks(const chunk_function& function, const std::vector<host_array>& in, const host_array& out,
                const chunk_options& options = {});
/// The results of the chunks put together by `combine`; the total stays on the device.
array map_chunks(const chunk_function& function, const std::vector<host_array>& in,
                 const combine_function& combine, const chunk_options& options = {});

}  // namespace cuprum
