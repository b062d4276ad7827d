// cuprum/chunks.h
#include "examples.h"

TEST(Examples, chunks) {
  // map_chunks, host_array::host_array
  {
    std::vector<double> x{1, 4, 9, 16}, y(4);
    cp::map_chunks([](const auto& in) { return cp::sqrt(in[0]); }, {{x.data(), {4}}}, {y.data(), {4}});
    shows(y, "{1, 2, 3, 4}");

    const auto sum = [](const std::vector<cp::array>& in) { return cp::sum(in[0]); };
    const auto add = [](const cp::array& total, const cp::array& part) { return total + part; };
    shows(cp::map_chunks(sum, {{x.data(), {4}}}, add, {.chunk_bytes = 16}), "30.0");
  }
  // ChunkError::ChunkError
  {
    std::vector<double> x{1, 2, 3, 4};
    const auto half = [](const std::vector<cp::array>& in) {
      if (cp::max(in[0]).item<double>() > 2) throw cp::ValueError("too large");
      return in[0] / 2.0;
    };
    try {
      cp::map_chunks(half, {{x.data(), {4}}}, {x.data(), {4}}, {.chunk_bytes = 16});
    } catch (const cp::ChunkError& error) {
      shows(error.what(), "cuprum.map_chunks: chunk 1, [2:4] along axis 0: too large");
      shows(error.start, "2");
    }
    shows(x, "{0.5, 1, 3, 4}");  // the chunk before it has been written
  }
}
