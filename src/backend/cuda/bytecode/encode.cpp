// The second half of the encoder: the order of loads, loops and stores, and registers by liveness.
//
// Order: all leaves are loaded first, so that they travel together, and a result is stored as soon as it is there, which
// gives its register back. Where that takes more registers than there are, a leaf is loaded when it is first read.
// A result may lie where a leaf does (in place): such a leaf is loaded before the result is stored.
//
// Registers are runs of planes, aligned to their length, so that they never fragment. A result takes the register
// of an argument that dies there if it has the same number of planes: then element i lies where element i lay. Otherwise
// it gets one that overlaps no argument, because a loop may write its first elements before it reads the last.
#include "backend/cuda/bytecode/encode.h"

#include <bit>
#include <cstring>
#include <limits>

#include "backend/cuda/bytecode/assemble.h"
#include "backend/cuda/bytecode/layout.h"

namespace cuprum::cuda::bytecode {

namespace {

constexpr int kNever = std::numeric_limits<int>::max();

/// Planes of shared memory, taken and given back.
class Planes {
 public:
  explicit Planes(std::size_t limit) : limit_(limit < kMost ? static_cast<int>(limit) : kMost) {}

  /// The first of `count` (1, 2 or 4) free planes, aligned to their number; -1: none left.
  int take(int count) {
    for (int first = 0; first + count <= limit_; first += count) {
      const std::uint64_t mask = ((std::uint64_t{1} << count) - 1) << (first % 64);
      if (taken_[first / 64] & mask) continue;
      taken_[first / 64] |= mask;
      if (first + count > used_) used_ = first + count;
      return first;
    }
    return -1;
  }
  void give(int first, int count) {
    taken_[first / 64] &= ~(((std::uint64_t{1} << count) - 1) << (first % 64));
  }
  int used() const { return used_; }

 private:
  static constexpr int kMost = kUniform / kThreads;  // what 15 bits can name
  std::uint64_t taken_[(kMost + 63) / 64] = {};
  int limit_;
  int used_ = 0;
};

/// Kept from call to call for its memory.
struct Workspace {
  Assembly assembly;
  std::vector<Instruction> code;
  std::vector<std::uint8_t> loaded;     // by leaf
  std::vector<std::uint16_t> uniforms;  // values
};

class Encoder {
 public:
  Encoder(const Kernel& kernel, const Wanted& wanted, Workspace& space)
      : kernel_(kernel), wanted_(wanted), space_(space), values_(space.assembly.values), code_(space.code) {}

  bool run(std::size_t max_shared, Program& to) {
    // Values, accesses and instructions are counted in 16 bits; an operation becomes at most five of them.
    const std::size_t operands = kernel_.leaves.size() + kernel_.scalars.size() + kernel_.stores.size();
    if (5 * kernel_.code.size() + 2 * operands + 16 >= kLoad) return false;
    if (!assemble(kernel_, wanted_, space_.assembly)) return false;
    for (const bool lazy : {false, true}) {
      arrange(lazy);
      Layout layout(kernel_, wanted_, code_.size(), space_.uniforms.size());
      if (layout.fixed_bytes() >= max_shared) return false;
      Planes planes((max_shared - layout.fixed_bytes()) / kPlaneBytes);
      if (!place_uniforms(planes) || !name_registers(planes)) continue;
      write(layout, planes.used(), to);
      return true;
    }
    return false;
  }

 private:
  std::uint16_t value_of(std::uint16_t reg) const { return space_.assembly.register_values[reg]; }
  std::size_t sources() const { return kernel_.leaves.size() + kernel_.scalars.size(); }

  // -- The order. Registers of instructions are values until name_registers; `unused[0]` counts the arguments.

  void emit(std::uint16_t code, std::uint16_t dst, const std::uint16_t* src, int nsrc) {
    Instruction in = {};
    in.code = code;
    in.dst = dst;
    for (int i = 0; i < nsrc; ++i) in.src[i] = src[i];
    in.unused[0] = static_cast<std::uint16_t>(code == kLoad ? 0 : nsrc);
    code_.push_back(in);
  }

  bool load(std::uint16_t value) {
    if (value >= kernel_.leaves.size() || space_.loaded[value]) return false;
    if (values_[value].uniform || !values_[value].needed) return false;
    space_.loaded[value] = 1;
    emit(kLoad, value, &value, 1);  // the accesses of leaves have the numbers of the leaves
    return true;
  }
  template <class List>
  void load_all(std::size_t n, List&& list) {
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) any |= load(list(i));
    if (any) emit(kWait, 0, nullptr, 0);
  }

  void store_results(std::uint16_t value) {
    if (!wanted_.stores) return;
    for (std::size_t s = 0; s < kernel_.stores.size(); ++s) {
      const Store& store = kernel_.stores[s];
      if (value_of(store.src) != value) continue;
      load_all(kernel_.leaves.size(), [&](std::size_t i) {
        return static_cast<std::uint16_t>(kernel_.leaves[i].data == store.data ? i : kernel_.leaves.size());
      });
      load_all(1, [&](std::size_t) { return value; });
      emit(kStore, static_cast<std::uint16_t>(kernel_.leaves.size() + s), &value, 1);
    }
  }

  void arrange(bool lazy) {
    const Assembly& assembly = space_.assembly;
    code_.clear();
    space_.loaded.assign(kernel_.leaves.size(), 0);
    if (!lazy) load_all(kernel_.leaves.size(), [](std::size_t i) { return static_cast<std::uint16_t>(i); });
    for (std::size_t i = 0; i < sources(); ++i) store_results(static_cast<std::uint16_t>(i));
    for (const Step& step : assembly.steps) {
      load_all(step.nsrc, [&](std::size_t k) { return step.src[k]; });
      emit(step.loop, step.dst, step.src, step.nsrc);
      store_results(step.dst);
    }
    if (wanted_.reduction >= 0) load_all(1, [&](std::size_t) { return assembly.reduced; });
    header_.length = static_cast<std::uint16_t>(code_.size());
    for (const Step& step : assembly.fold) emit(step.loop, step.dst, step.src, step.nsrc);
    header_.fold_length = static_cast<std::uint16_t>(assembly.fold.size());
    find_last_reads();
    space_.uniforms.clear();
    for (std::size_t i = 0; i < sources(); ++i) {
      if (values_[i].uniform && values_[i].needed) space_.uniforms.push_back(static_cast<std::uint16_t>(i));
    }
  }

  void find_last_reads() {
    for (Value& value : values_) value.last = -1;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      for (int k = 0; k < code_[i].unused[0]; ++k) values_[code_[i].src[k]].last = static_cast<int>(i);
    }
    if (wanted_.reduction >= 0) values_[space_.assembly.reduced].last = kNever;
  }

  // -- Registers.

  bool place_uniforms(Planes& planes) {
    int most = 1, first = 0;
    for (const std::uint16_t value : space_.uniforms) {
      if (values_[value].planes > most) most = values_[value].planes;
    }
    for (std::size_t u = 0; u < space_.uniforms.size(); ++u) {
      const int column = static_cast<int>(u % kThreads);
      if (column == 0 && (first = planes.take(most)) < 0) return false;
      values_[space_.uniforms[u]].name = static_cast<std::uint16_t>((first * kThreads + column) | kUniform);
    }
    return true;
  }

  bool take_register(Value& value, Planes& planes) {
    const int first = planes.take(value.planes);
    if (first < 0) return false;
    value.name = static_cast<std::uint16_t>(first * kThreads);
    return true;
  }

  bool name_registers(Planes& planes) {
    const Assembly& assembly = space_.assembly;
    const bool folds = !assembly.fold.empty();
    if (folds && !take_register(values_[assembly.total], planes)) return false;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (!name_instruction(code_[i], static_cast<int>(i), planes)) return false;
    }
    if (wanted_.reduction < 0) return true;
    header_.value = values_[assembly.reduced].name;
    header_.total = values_[assembly.total].name;
    // The fold ends in the register that it began with: arguments hand theirs on.
    return !folds || code_.back().dst == header_.total;
  }

  bool name_instruction(Instruction& in, int at, Planes& planes) {
    const int nsrc = in.unused[0];
    int heir = -1;  // the argument whose register the result takes
    if (in.code <= kLoad) {
      Value& dst = values_[in.dst];
      for (int k = 0; k < nsrc && heir < 0; ++k) {
        const Value& v = values_[in.src[k]];
        if (!v.uniform && v.last == at && v.planes == dst.planes) heir = in.src[k];
      }
      if (heir >= 0) {
        dst.name = values_[static_cast<std::size_t>(heir)].name;
      } else if (!take_register(dst, planes)) {
        return false;
      }
      in.dst = dst.name;
    }
    for (int k = 0; k < nsrc; ++k) {
      Value& v = values_[in.src[k]];
      if (!v.uniform && v.last == at && in.src[k] != heir) {
        planes.give(v.name / kThreads, v.planes);
        v.last = -1;  // an instruction may name it twice
      }
      in.src[k] = v.name;
    }
    if (in.code < kLoad) {
      for (int k = nsrc; k < kMaxInputs; ++k) in.src[k] = in.src[0];
    }
    return true;
  }

  // -- Bytes.

  void write(Layout& layout, int planes, Program& to) {
    layout.begin(header_, planes, to);
    std::memcpy(layout.code(to), code_.data(), code_.size() * sizeof(Instruction));
    Uniform* u = layout.uniforms(to);
    for (const std::uint16_t value : space_.uniforms) {
      *u = {};
      u->name = values_[value].name & (kUniform - 1);
      const bool is_leaf = value < kernel_.leaves.size();
      const Scalar* scalar = is_leaf ? nullptr : &kernel_.scalars[value - kernel_.leaves.size()];
      const dtype type = is_leaf ? kernel_.leaves[value].type : scalar->type;
      if (is_leaf) {
        u->data = reinterpret_cast<std::uint64_t>(kernel_.leaves[value].data.address());
      } else {
        std::memcpy(u->bytes, scalar->bytes, sizeof(u->bytes));
      }
      u->log_size = static_cast<std::uint8_t>(std::countr_zero(itemsize(type)));
      u->is_bool = type == dtype::bool_;
      ++u;
    }
  }

  const Kernel& kernel_;
  const Wanted& wanted_;
  Workspace& space_;
  std::vector<Value>& values_;
  std::vector<Instruction>& code_;
  Header header_ = {};
};

}  // namespace

bool encode(const Kernel& kernel, const Wanted& wanted, std::size_t max_shared, Program& to) {
  static thread_local Workspace space;
  return Encoder(kernel, wanted, space).run(max_shared, to);
}

}  // namespace cuprum::cuda::bytecode
