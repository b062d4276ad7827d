#include "runtime/primitives.h"

#include <string_view>

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

}  // namespace cuprum
