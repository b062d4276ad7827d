#include "core/promotion.h"

#include <cstring>
#include <string>

#include "cuprum/error.h"

namespace cuprum {

namespace {

constexpr const char* kCastingNames[] = {"no", "equiv", "safe", "same_kind", "unsafe"};

/// `strong` beside a Python scalar: unchanged, unless the scalar's kind is higher.
dtype with_weak(dtype strong, Weak weak) {
  const bool is_exact = is_bool(strong) || is_integer(strong);
  switch (weak) {
    case Weak::strong: return strong;
    case Weak::integer: return is_bool(strong) ? dtype::int64 : strong;
    case Weak::floating: return is_exact ? dtype::float64 : strong;
    case Weak::complex: break;
  }
  if (is_complex(strong)) return strong;
  return is_exact || strong == dtype::float64 ? dtype::complex128 : dtype::complex64;
}

}  // namespace

const char* name(Casting casting) { return kCastingNames[static_cast<int>(casting)]; }

Casting parse_casting(const char* text) {
  for (int i = 0; i < 5; ++i) {
    if (std::strcmp(text, kCastingNames[i]) == 0) return static_cast<Casting>(i);
  }
  throw ValueError("casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got '" +
                   std::string(text) + "')");
}

bool can_cast(dtype from, dtype to, Casting casting) {
  switch (casting) {
    case Casting::no:
    case Casting::equiv: return from == to;  // every array has native byte order: the two rules are one
    case Casting::safe: return detail::is_safe(from, to);
    case Casting::same_kind: return kind_order(from) <= kind_order(to);
    case Casting::unsafe: return true;
  }
  return false;
}

bool can_cast(OperandType from, dtype to, Casting casting) {
  if (!from.is_weak()) return can_cast(from.type, to, casting);
  if (casting == Casting::unsafe) return true;
  return from.weak == Weak::integer ? !is_bool(to) : kind_order(to) >= kind_order(from.type);
}

dtype result_type(std::span<const OperandType> operands) {
  unsigned common = ~0u;
  OperandType weak = {dtype::bool_};  // the one of the highest kind, if there is any
  for (const OperandType& o : operands) {
    if (o.is_weak()) {
      if (o.weak > weak.weak) weak = o;
    } else {
      common &= detail::kSafeCasts.to[static_cast<int>(o.type)];
    }
  }
  if (common == ~0u) return weak.type;
  return with_weak(detail::kLadder[std::countr_zero(common)], weak.weak);
}

}  // namespace cuprum
