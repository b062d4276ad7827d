// Products (linalg.h) and the runtime (runtime.h).
#include "api/handle.h"
#include "cuprum/cuprum.h"
#include "expr/engine.h"
#include "ops/einsum.h"
#include "ops/linalg.h"
#include "runtime/devices.h"
#include "runtime/lock.h"
#include "runtime/pool.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

}  // namespace

// -- linalg.h -------------------------------------------------------------------------------------------

array matmul(const array& a, const array& b) { return array(ops::matmul(of(a), of(b))); }
array dot(const array& a, const array& b) { return array(ops::dot(of(a), of(b))); }
array outer(const array& a, const array& b) { return array(ops::outer(of(a), of(b))); }
array inner(const array& a, const array& b) { return array(ops::inner(of(a), of(b))); }
array tensordot(const array& a, const array& b, std::int64_t axes) {
  return array(ops::tensordot(of(a), of(b), axes));
}
array einsum(const std::string& subscripts, const std::vector<array>& operands) {
  return array(ops::einsum(subscripts, to_arrays(operands)));
}

// -- runtime.h ------------------------------------------------------------------------------------------

void evaluate(const std::vector<array>& arrays) {
  const std::vector<Array> all = to_arrays(arrays);
  evaluate(std::span<const Array>(all), Reason::requested);
}
std::string show_graph(const array& a) { return graph_text({&of(a), 1}); }
void set_eager(bool eager) {
  EngineLock lock;
  engine_options().eager = eager;
}
void set_device(std::string_view device) { set_thread_backend(&backend_named(device)); }
std::string device() { return default_backend().name(); }
void synchronize() {
  EngineLock lock;
  evaluate_all(default_backend());
  current_device().synchronize();
}
memory_info memory() {
  const MemoryStats stats = current_device().pool().stats();
  return {stats.used_bytes, stats.total_bytes, stats.peak_bytes};
}
void free_all_blocks() { current_device().pool().free_all_blocks(); }

}  // namespace cuprum
