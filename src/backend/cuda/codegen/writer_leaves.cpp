// How the text of a kernel reads its leaves: where they lie, through indices (device/gather.cuh), or by drawing (device/draw.cuh).
#include "codegen/names.h"
#include "codegen/writer.h"

namespace cuprum::cuda {

void Writer::write_leaves(const List& leaves) {
  for (const std::size_t i : leaves) {
    if (const Gathered* g = gathered(k_, i)) {
      write_index(number_of(*g));
    } else if (!drawn(k_, i)) {
      put("    load_elements", access(i), "(", elements(i));
    }
  }
  for (const std::size_t i : leaves) {
    if (const Drawn* d = drawn(k_, i))
      put("    draw_elements", access(i), "(d", number_of(*d), ", p.draw", number_of(*d), ", ", elements(i));
  }
  for (const std::size_t i : leaves) {
    if (const Gathered* g = gathered(k_, i)) write_gather(number_of(*g), i);
  }
}

/// The end of a call that reads elements of leaf i.
std::string Writer::elements(std::size_t i) const {
  return text(address(i, i), ", ", inner_stride(i), ", count, l.x", i, ");\n");
}

void Writer::write_start() {
  std::string makes;
  for (std::size_t d = 0; d < k_.draws.size(); ++d) {
    put("  mutable ", drawer_type(k_.draws[d].draw, k_.leaves[k_.draws[d].leaf].type), " d", d, ";\n");
    makes += text(", d", d, "(params.draw", d, ")");
  }
  put("  CUPRUM_DEVICE explicit Body(const Params& params) : p(params)", makes, " {}\n");
}

bool Writer::names_row(std::size_t gather) const {
  return p_.access_of[index_operand(k_, gather)] == Access::broadcast;
}

void Writer::write_index(std::size_t gather) {
  const std::size_t operand = index_operand(k_, gather);
  put("    ", type_name(k_.gathers[gather].index.type), " i", gather, "[",
      names_row(gather) ? "1" : "kVector", "];\n    load_elements", access(operand), "(",
      address(index_pointer(gather), operand), ", ", inner_stride(operand), ", count, i", gather, ");\n");
}

void Writer::write_gather(std::size_t gather, std::size_t i) {
  put("    gather_", names_row(gather) ? text("row", access(i)) : "elements<kWhole, kVector>", "(p.gather[",
      gather, "], i", gather, ", ", elements(i));
}

std::string Writer::leaf_element(std::size_t i, const char* at) const {
  const std::string type = type_name(k_.leaves[i].type),
                    place = text("p.pointer[", i, "] + ", at, p_.layout_of[i]);
  if (const Drawn* d = drawn(k_, i))
    return text("draw_one<", type, ">(d", number_of(*d), ", p.draw", number_of(*d), ", ", place, ")");
  const Gathered* g = gathered(k_, i);
  if (!g) return text("load_one<", type, ">(", place, ")");
  const std::size_t n = number_of(*g);
  return text("gather_one<", type, ">(p.gather[", n, "], load_one<", type_name(g->index.type), ">(p.pointer[",
              index_pointer(n), "] + ", at, p_.layout_of[index_operand(k_, n)], "), ", place, ")");
}

}  // namespace cuprum::cuda
