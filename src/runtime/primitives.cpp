#include "runtime/primitives.h"

#include <string_view>

#include "cuprum/error.h"

namespace cuprum {

std::string name(const Primitive& primitive) {
#define CUPRUM_NAME(P) , #P
  static const char* const names[] = {"nothing" CUPRUM_PRIMITIVES(CUPRUM_NAME)};
#undef CUPRUM_NAME
  std::string text;
  for (const char c : std::string_view(names[primitive.index()])) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !text.empty()) text += '_';
    text += static_cast<char>(capital ? c + ('a' - 'A') : c);
  }
  return text;
}

void throw_index_fault(const Call& call, const IndexFault& fault) {
  const auto k = static_cast<std::size_t>(fault.axis);
  dispatch(call, [&]<class P>(const P& p) -> Answer<P> {
    if constexpr (kIndexes<P>) {
      throw IndexError("index " + std::to_string(fault.value) + " is out of bounds for axis " +
                       std::to_string(p.site.axis_of(k)) + " with size " +
                       std::to_string(indexed_shape(p, call)[k]) + " (in " + p.site.function + ")");
    }
  });
}

}  // namespace cuprum
