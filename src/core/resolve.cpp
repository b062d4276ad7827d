// The lookup tables of `resolve` are filled at first use (18 operand kinds: 15 dtypes and 3 weak scalars), by
// the rules of this file; the golden files of tests/golden hold NumPy's answer for every entry.
#include "core/resolve.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>

#include "core/op_signatures.h"
#include "core/resolve_errors.h"
#include "cuprum/error.h"

namespace cuprum {

namespace {

// An entry of the tables: the position of a signature in its row, or one of these.
constexpr std::int8_t kNoLoop = -1;
constexpr std::int8_t kMixed = kDTypeCount;  // the exact comparison of (int64, uint64); + 1: of the reverse

const SignatureList& signatures(Op op) { return kSignatures[static_cast<int>(op)]; }

/// The exact comparison of a signed with an unsigned integer: the row `<name>_mixed`, for every comparison.
struct MixedRows {
  Op of[kOpCount];
};

constexpr MixedRows find_mixed_rows() {
  constexpr std::string_view names[] = {
#define CUPRUM_OP(name, ...) #name,
#include "core/op_table.def"
#undef CUPRUM_OP
  };
  constexpr std::string_view suffix = "_mixed";
  MixedRows rows = {};
  for (int op = 0; op < kOpCount; ++op) {
    if (!has(static_cast<Op>(op), kComparison)) continue;
    int row = 0;  // runs out of bounds, which does not compile, where there is none
    while (!(names[row].starts_with(names[op]) && names[row].substr(names[op].size()) == suffix)) ++row;
    rows.of[op] = static_cast<Op>(row);
  }
  return rows;
}

constexpr MixedRows kMixedRows = find_mixed_rows();

/// The first signature to which every operand casts safely.
template <class Accept>
std::int8_t first_fit(Op op, std::span<const OperandType> operands, Accept accept) {
  const SignatureList& list = signatures(op);
  for (int i = 0; i < list.count; ++i) {
    bool fits = accept(list.items[i]);
    for (std::size_t k = 0; fits && k < operands.size(); ++k) {
      fits = can_cast(operands[k], list.items[i].in[k]);
    }
    if (fits) return static_cast<std::int8_t>(i);
  }
  return kNoLoop;
}

std::int8_t first_fit(Op op, std::span<const OperandType> operands) {
  return first_fit(op, operands, [](const Signature&) { return true; });
}

std::int8_t position(Op op, dtype key) {
  const Signature* s = signatures(op).find(key);
  return s ? static_cast<std::int8_t>(s - signatures(op).items) : kNoLoop;
}

/// The loop for operands that are all of one dtype.
struct PromotedTable {
  std::int8_t entry[kOpCount][kDTypeCount];

  PromotedTable() {
    for (int i = 0; i < kOpCount; ++i) {
      const Op op = static_cast<Op>(i);
      for (int t = 0; t < kDTypeCount; ++t) {
        const OperandType o = {static_cast<dtype>(t)};
        const OperandType operands[kMaxInputs] = {o, o, o};
        const bool refused = is_bool(o.type) && has(op, kRefusesBool);
        entry[i][t] = refused ? kNoLoop : first_fit(op, std::span(operands, input_count(op)));
      }
    }
  }
};

std::int8_t resolve_promoted(Op op, dtype common) {
  static const PromotedTable table;
  return table.entry[static_cast<int>(op)][static_cast<int>(common)];
}

std::int8_t resolve_separately(Op op, std::span<const OperandType> operands) {
  int company = -1;  // the highest kind among the strong operands
  for (const OperandType& o : operands) {
    if (!o.is_weak()) company = std::max(company, kind_order(o.type));
  }
  // A scalar of a higher kind than its company is not weak: it has its own dtype.
  OperandType as_seen[kMaxInputs];
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const dtype lowest = operands[k].weak == Weak::integer ? dtype::uint8 : operands[k].type;
    as_seen[k] = kind_order(lowest) <= company ? operands[k] : OperandType{operands[k].type};
  }
  return first_fit(op, std::span(as_seen, operands.size()));
}

std::int8_t resolve_comparison(Op op, OperandType a, OperandType b) {
  if (!a.is_weak() && !b.is_weak()) {
    if (is_signed_integer(a.type) && b.type == dtype::uint64) return kMixed;
    if (a.type == dtype::uint64 && is_signed_integer(b.type)) return kMixed + 1;
  }
  const OperandType operands[] = {a, b};
  return resolve_promoted(op, result_type(operands));
}

std::int8_t search(Op op, std::span<const OperandType> operands) {
  if (op == Op::where) return position(op, result_type(operands.subspan(1)));
  if (has(op, kComparison)) return resolve_comparison(op, operands[0], operands[1]);
  if (has(op, kLogical)) {
    // Different dtypes are not promoted but tested for truth each.
    const bool same = operands[0] == operands[1] && !operands[0].is_weak();
    return position(op, same ? operands[0].type : dtype::bool_);
  }
  if (has(op, kCastsSeparately)) return resolve_separately(op, operands);
  const dtype common = result_type(operands);
  if (op == Op::divide && kind_order(common) < kind_order(dtype::float64))
    return position(op, dtype::float64);
  return resolve_promoted(op, common);
}

struct Tables {
  std::int8_t unary[kOpCount][kOperandTypeCount];
  std::int8_t binary[kOpCount][kOperandTypeCount][kOperandTypeCount];

  Tables();
};

Tables::Tables() {
  std::memset(this, kNoLoop, sizeof(*this));  // for a wrong number of operands
  OperandType all[kOperandTypeCount];
  for (int i = 0; i < kDTypeCount; ++i) all[i] = {static_cast<dtype>(i)};
  for (OperandType weak : {kWeakInt, kWeakFloat, kWeakComplex}) all[weak.index()] = weak;
  for (int i = 0; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    for (int a = 0; a < kOperandTypeCount; ++a) {
      if (input_count(op) == 1) unary[i][a] = search(op, std::span(&all[a], 1));
      for (int b = 0; input_count(op) == 2 && b < kOperandTypeCount; ++b) {
        const OperandType operands[] = {all[a], all[b]};
        binary[i][a][b] = search(op, operands);
      }
    }
  }
}

std::atomic<const Tables*> made_tables{nullptr};

[[gnu::noinline]] const Tables& make_tables() {
  static const Tables tables;
  made_tables.store(&tables, std::memory_order_release);
  return tables;
}

/// Every call of an operation comes by: the way through is one load.
inline const Tables& tables() {
  const Tables* made = made_tables.load(std::memory_order_acquire);
  return made ? *made : make_tables();
}

/// The signature of an entry; changes `op` where the entry says so.
const Signature* take(Op& op, std::int8_t entry) {
  if (entry == kNoLoop) return nullptr;
  if (entry < kMixed) return &signatures(op).items[entry];
  op = kMixedRows.of[static_cast<int>(op)];
  return &signatures(op).items[entry - kMixed];
}

/// The loop for `dtype=type`. What the operands would choose, if it has that result; else the first with that
/// result to which they cast safely; else the one that is of that dtype throughout (the casting rule
/// decides).
const Signature* resolve_output(Op& op, std::span<const OperandType> operands, dtype type) {
  if (is_bool(type) && has(op, kRefusesBool)) return nullptr;
  // `dtype=` means both results of a pair, and those of frexp always differ.
  if (op == Op::frexp_mantissa || op == Op::frexp_exponent) return nullptr;
  Op chosen = op;
  const Signature* s = resolve(chosen, operands);
  if (s && s->out == type) {
    op = chosen;
    return s;
  }
  const std::int8_t fit = first_fit(op, operands, [&](const Signature& s) { return s.out == type; });
  if (fit != kNoLoop) return take(op, fit);
  s = signatures(op).find(type);
  for (int k = 0; s && k < input_count(op); ++k) {
    if (s->in[k] != type) return nullptr;
  }
  return s && s->out == type ? s : nullptr;
}

}  // namespace

const Signature* resolve(Op& op, OperandType a) {
  return take(op, tables().unary[static_cast<int>(op)][a.index()]);
}

const Signature* resolve(Op& op, OperandType a, OperandType b) {
  return take(op, tables().binary[static_cast<int>(op)][a.index()][b.index()]);
}

const Signature* resolve(Op& op, std::span<const OperandType> operands) {
  switch (operands.size()) {
    case 1: return resolve(op, operands[0]);
    case 2: return resolve(op, operands[0], operands[1]);
    default: return take(op, search(op, operands));
  }
}

const Signature& resolve_call(const char* ufunc, Op& op, std::span<const OperandType> operands,
                              std::optional<dtype> type, Casting casting) {
  const Op asked = op;
  const Signature* s = type ? resolve_output(op, operands, *type) : resolve(op, operands);
  if (!s && type) throw_no_loop_for(ufunc, asked, operands, *type);
  if (!s) throw_no_loop(ufunc, asked, operands);
  // The logical operations test for truth, which no casting rule forbids.
  if (has(asked, kLogical)) return *s;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!can_cast(operands[k], s->in[k], casting)) {
      throw_input_cast(ufunc, operands, static_cast<int>(k), s->in[k], casting);
    }
  }
  return *s;
}

const Signature& resolve_reduce(Op& op, dtype in, std::optional<dtype> type, std::optional<dtype> out) {
  const char* ufunc = info(op).name;
  const OperandType operands[] = {{type.value_or(out.value_or(in))}, {in}};
  if (has(op, kLogical | kComparison)) {
    // The result of one step is an operand of the next: both are bool. Only the logical operations take any
    // element for its truth unasked.
    const dtype asked = type.value_or(has(op, kLogical) ? dtype::bool_ : in);
    if (!is_bool(asked)) throw_no_loop_for(ufunc, op, operands, asked);
    return *signatures(op).find(dtype::bool_);
  }
  if (!type && !out && (op == Op::add || op == Op::multiply) && (is_bool(in) || is_integer(in))) {
    type = is_unsigned_integer(in) ? dtype::uint64 : dtype::int64;  // sums of small integers would overflow
  }
  const Signature* s = type ? resolve_output(op, operands, *type) : resolve(op, operands);
  if (!s && type) throw_no_loop_for(ufunc, op, operands, *type);
  if (!s) throw_no_reduce_loop(ufunc, op, operands);
  if (s->in[0] != s->in[1]) {  // ldexp: a result is no exponent of the next step
    throw TypeError(std::string("the resolved dtypes are not compatible with ") + ufunc +
                    ".accumulate. Resolved (" + name(s->in[0]) + ", " + name(s->in[1]) + ", " + name(s->out) +
                    ")");
  }
  return *s;
}

bool compare_out_of_range(Op op, bool scalar_first, bool above) {
  const bool array_is_less = above;
  switch (op) {
    case Op::equal: return false;
    case Op::not_equal: return true;
    case Op::less:
    case Op::less_equal: return array_is_less != scalar_first;
    default: return array_is_less == scalar_first;
  }
}

}  // namespace cuprum
