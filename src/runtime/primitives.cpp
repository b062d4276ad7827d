#include "runtime/primitives.h"

#include <string_view>

#include "cuprum/error.h"
#include "runtime/backend.h"
#include "runtime/late_errors.h"
#include "runtime/user_kernels.h"

namespace cuprum {

std::string name(const Primitive& primitive) {
  if (const auto* launch = std::get_if<Launch>(&primitive)) return launch->function->name;
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

namespace {

constexpr const char* kFoundLate = ", found by the device; CUPRUM_DEBUG=1 raises this at the call";

[[noreturn]] void throw_bad_index(const char* function, std::int64_t value, std::int64_t axis,
                                  std::int64_t extent, const char* when) {
  throw IndexError("index " + std::to_string(value) + " is out of bounds for axis " + std::to_string(axis) +
                   " with size " + std::to_string(extent) + " (in " + function + when + ")");
}

[[noreturn]] void throw_bad_matrix(const char* function, const char* message, bool stacked,
                                   std::int64_t number, const char* when) {
  throw LinAlgError(std::string(message) + " (in " + function +
                    (stacked ? ", matrix " + std::to_string(number) + " of the stack" : "") + when + ")");
}

[[noreturn]] void throw_found(const Call& call, const Fault& fault, const char* when) {
  const auto k = static_cast<std::size_t>(fault.axis);
  dispatch(call, [&]<class P>(const P& p, const auto&) -> Answer<P> {
    if constexpr (requires { p.site.axes; }) {
      throw_bad_index(p.site.function, fault.value, p.site.axis_of(k), indexed_shape(p, call)[k], when);
    } else if constexpr (kChecks<P>) {
      throw_bad_matrix(p.site.function, p.site.message, call.in[0].shape.size() > 2, fault.value, when);
    }
  });
  __builtin_unreachable();  // a primitive that checks nothing finds nothing
}

}  // namespace

void throw_fault(const Call& call, const Fault& fault) { throw_found(call, fault, ""); }
void throw_late_fault(const Call& call, const Fault& fault) { throw_found(call, fault, kFoundLate); }

void throw_late_index_error(const char* function, std::int64_t value, std::int64_t axis,
                            std::int64_t extent) {
  throw_bad_index(function, value, axis, extent, kFoundLate);
}

void throw_late_matrix_error(const char* function, const char* message, bool stacked, std::int64_t number) {
  throw_bad_matrix(function, message, stacked, number, kFoundLate);
}

}  // namespace cuprum
