#include "backend/cpu/backend.h"
#include "cuprum/error.h"
#include "runtime/user_kernels.h"

namespace cuprum {

std::shared_ptr<UserModule> compile_on_host(const ModuleSpec& spec) { throw CompileError("no compiler yet"); }

namespace cpu {

void call(const Launch& p, Operands in, Operands out) { launch_on_host(p, in, out); }

}  // namespace cpu

}  // namespace cuprum
