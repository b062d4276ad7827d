#include "cuprum/chunks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/handle.h"
#include "cuprum/stream.h"
#include "expr/engine.h"
#include "expr/host_copy.h"
#include "ops/pools.h"
#include "runtime/devices.h"
#include "runtime/lock.h"

namespace cuprum {

namespace {

const std::string kPrefix = "cuprum.map_chunks: ";

/// Rows of the axis, and which of them make a chunk.
struct Chunk {
  std::int64_t index, start, stop;
  std::int64_t rows() const { return stop - start; }
};

std::size_t row_bytes(const host_array& a) {
  std::size_t bytes = itemsize(a.type);
  for (std::size_t i = 1; i < a.shape.size(); ++i) bytes *= static_cast<std::size_t>(a.shape[i]);
  return bytes;
}

std::byte* rows_at(const host_array& a, const Chunk& chunk) {
  return static_cast<std::byte*>(a.data) + static_cast<std::size_t>(chunk.start) * row_bytes(a);
}

Dims chunk_shape(const host_array& a, const Chunk& chunk) {
  Dims shape = to_dims(a.shape);
  shape[0] = chunk.rows();
  return shape;
}

/// Rows of the program's memory as an array of a device that works there.
Array shared_rows(const host_array& a, const Chunk& chunk, bool writeable) {
  const Dims shape = chunk_shape(a, chunk);
  const auto bytes = static_cast<std::size_t>(chunk.rows()) * row_bytes(a);
  return from_foreign(
      current_device(), rows_at(a, chunk), bytes, a.type, shape,
      contiguous_strides(shape, static_cast<std::int64_t>(itemsize(a.type))), 0, writeable, [](void*) {},
      nullptr);
}

/// The same on any device: where it has memory of its own, a copy.
array read_rows(const host_array& a, const Chunk& chunk) {
  Backend& device = current_device();
  if (device.host_accessible()) return array(shared_rows(a, chunk, false));
  Array copy = make_array(device, a.type, chunk_shape(a, chunk));
  upload(copy, rows_at(a, chunk));
  return array(std::move(copy));
}

/// The result as `out` has it, or ValueError.
array fitting(const array& result, const host_array& out, const Chunk& chunk) {
  const Dims wanted = chunk_shape(out, chunk), given = to_dims(result.shape());
  if (given != wanted)
    throw ValueError("the result has shape " + shape_text(given) + ", out has room for " +
                     shape_text(wanted));
  return result.type() == out.type ? result : result.astype(out.type);
}

std::int64_t common_length(const std::vector<host_array>& in) {
  if (in.empty())
    throw ValueError(kPrefix + "there is no host array; write map_chunks(function, {{data, shape}}, ...)");
  for (const host_array& a : in) {
    if (a.shape.empty()) throw ValueError(kPrefix + "a host array without dimensions has no chunks");
    if (a.shape[0] != in[0].shape[0])
      throw ValueError(kPrefix + "the arrays have different lengths along the axis: " +
                       std::to_string(in[0].shape[0]) + " and " + std::to_string(a.shape[0]));
  }
  return in[0].shape[0];
}

std::vector<Chunk> chunks_of(const std::vector<host_array>& in, const chunk_options& options) {
  const std::int64_t length = common_length(in);
  std::size_t of_row = 0;
  for (const host_array& a : in) of_row += row_bytes(a);
  const std::size_t bytes =
      options.chunk_bytes != 0
          ? options.chunk_bytes
          : ops::chunk_bytes(current_device(), static_cast<std::size_t>(length) * of_row);
  const auto rows =
      static_cast<std::int64_t>(std::max<std::size_t>(bytes / std::max<std::size_t>(of_row, 1), 1));
  std::vector<Chunk> chunks;
  for (std::int64_t start = 0; start < length || chunks.empty(); start += rows)  // no rows are one chunk
    chunks.push_back({static_cast<std::int64_t>(chunks.size()), start, std::min(start + rows, length)});
  return chunks;
}

/// Does `work`; what it throws names the chunk.
template <class F>
auto naming(const Chunk& chunk, F&& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    throw ChunkError(kPrefix + "chunk " + std::to_string(chunk.index) + ", [" + std::to_string(chunk.start) +
                         ":" + std::to_string(chunk.stop) + "] along axis 0: " + error.what(),
                     chunk.index, chunk.start, chunk.stop);
  }
}

/// Three streams of a device with memory of its own. While one chunk is computed, the one before it is downloaded, and the next
/// is uploaded.
class Pipeline {
 public:
  Pipeline(const chunk_function& function, const std::vector<host_array>& in)
      : function_(function), in_(in) {}

  array result_of(const Chunk& chunk) const {
    std::vector<array> arrays;
    {
      const stream_scope uploading(up_);
      for (const host_array& a : in_) arrays.push_back(read_rows(a, chunk));
    }
    const stream_scope computing(here_);
    const array result = function_(arrays);
    cuprum::evaluate({&result.implementation(), 1});
    return result;
  }
  void write(const array& result, const host_array& out, const Chunk& chunk) const {
    const stream_scope downloading(down_);
    copy_to_host(result.implementation(), rows_at(out, chunk), {.on_current = true});
  }

 private:
  const chunk_function& function_;
  const std::vector<host_array>& in_;
  const stream up_{{.non_blocking = true}}, here_{{.non_blocking = true}}, down_{{.non_blocking = true}};
};

/// On a device that works in the program's memory: straight into `out`.
void compute_here(const chunk_function& function, const std::vector<host_array>& in, const host_array& out,
                  const std::vector<Chunk>& chunks) {
  for (const Chunk& chunk : chunks) {
    naming(chunk, [&] {
      std::vector<array> arrays;
      for (const host_array& a : in) arrays.push_back(read_rows(a, chunk));
      const array result = fitting(function(arrays), out, chunk);
      const Array rows = shared_rows(out, chunk, true);
      assign(rows, Input(result.implementation()));
      evaluate({&rows, 1});
      current_device().synchronize();
    });
  }
}

void compute_there(const chunk_function& function, const std::vector<host_array>& in, const host_array& out,
                   const std::vector<Chunk>& chunks) {
  const Pipeline pipeline(function, in);
  std::optional<array> behind;  // the result of the chunk before
  const auto write_behind = [&](const Chunk& chunk) {
    if (const std::optional<array> result = std::exchange(behind, std::nullopt))
      naming(chunk, [&] { pipeline.write(*result, out, chunk); });
  };
  const Chunk* before = nullptr;
  for (const Chunk& chunk : chunks) {
    std::optional<array> result;
    try {
      result = naming(chunk, [&] { return fitting(pipeline.result_of(chunk), out, chunk); });
    } catch (const ChunkError&) {
      if (before) write_behind(*before);
      throw;
    }
    if (before) write_behind(*before);
    behind = std::move(result);
    before = &chunk;
  }
  write_behind(*before);
}

}  // namespace

void map_chunks(const chunk_function& function, const std::vector<host_array>& in, const host_array& out,
                const chunk_options& options) {
  const std::vector<Chunk> chunks = chunks_of(in, options);
  if (out.shape.empty() || out.shape[0] != in[0].shape[0])
    throw ValueError(kPrefix + "out must have the length of the inputs along the first axis, " +
                     std::to_string(in[0].shape[0]));
  const auto compute = current_device().host_accessible() ? &compute_here : &compute_there;
  compute(function, in, out, chunks);
}

array map_chunks(const chunk_function& function, const std::vector<host_array>& in,
                 const combine_function& combine, const chunk_options& options) {
  const std::vector<Chunk> chunks = chunks_of(in, options);
  const Pipeline pipeline(function, in);
  std::optional<array> total;
  for (const Chunk& chunk : chunks) {
    total = naming(chunk, [&] {
      const array part = pipeline.result_of(chunk);
      const array sum = total ? combine(*total, part) : part;
      // Nobody else waits: memory would be asked for sooner than it comes back.
      evaluate({&sum.implementation(), 1});
      if (chunk.index % 2 == 1) current_device().synchronize();
      return sum;
    });
  }
  return *total;
}

}  // namespace cuprum
