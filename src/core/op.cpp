// The descriptions of the operations, made from `op_table.def` at compile time.
#include "core/op.h"

#include <cstring>

#include "core/op_signatures.h"
#include "core/user_op.h"

namespace cuprum {

namespace {

constexpr std::span<const Signature> signatures_of(Op op) {
  const SignatureList& list = kSignatures[static_cast<int>(op)];
  return {list.items, static_cast<std::size_t>(list.count)};
}

constexpr OpInfo kInfo[kOpCount] = {
#define CUPRUM_OP(name, family, nin, signatures, identity, flags, doc) \
  {#name, nin, identity, flags, signatures_of(Op::name), doc},
#include "core/op_table.def"
#undef CUPRUM_OP
};

/// Position of the loop in kSignatures, or -1: every recorded operation asks for it.
struct LoopIndex {
  std::int8_t at[kOpCount][kDTypeCount];
};

constexpr LoopIndex make_loop_index() {
  LoopIndex index = {};
  for (int op = 0; op < kOpCount; ++op) {
    for (std::int8_t& i : index.at[op]) i = -1;
    for (int i = 0; i < kSignatures[op].count; ++i) {
      index.at[op][static_cast<int>(kSignatures[op].items[i].key)] = static_cast<std::int8_t>(i);
    }
  }
  return index;
}

constexpr LoopIndex kLoopIndex = make_loop_index();

constexpr PairUfunc kPairUfuncs[] = {
    {"divmod", Op::floor_divide, Op::remainder,
     "Quotient of floor division and its remainder, element-wise."},
    {"modf", Op::modf_frac, Op::modf_int, "Fractional and integral parts of each element."},
    {"frexp", Op::frexp_mantissa, Op::frexp_exponent, "Mantissa and exponent of two of each element."},
};

}  // namespace

const OpInfo& info(Op op) { return is_user_op(op) ? user_info(op) : kInfo[static_cast<int>(op)]; }

const Signature* find_signature(Op op, dtype key) {
  const int i = kLoopIndex.at[static_cast<int>(op)][static_cast<int>(key)];
  return i < 0 ? nullptr : &kSignatures[static_cast<int>(op)].items[i];
}

Op find_op(const char* name) {
  for (int i = 0; i < kOpCount; ++i) {
    if (std::strcmp(kInfo[i].name, name) == 0) return static_cast<Op>(i);
  }
  return Op::count_;
}

std::span<const PairUfunc> pair_ufuncs() { return kPairUfuncs; }

}  // namespace cuprum
