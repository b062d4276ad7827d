// The loop of an instruction: a row of the table, a cast, or what the program has brought.
#pragma once

#include "backend/cpu/loops.h"
#include "core/user_op.h"
#include "runtime/program.h"

namespace cuprum::cpu {

inline LoopFn instruction_loop(const LoopTable& table, const Instr& instr) {
  if (is_user_op(instr.op)) [[unlikely]]
    return user_loop(instr.op);
  return instr.op == Op::cast ? table.cast[static_cast<int>(instr.key)][static_cast<int>(instr.out)]
                              : table.loop[static_cast<int>(instr.op)][static_cast<int>(instr.key)];
}

}  // namespace cuprum::cpu
