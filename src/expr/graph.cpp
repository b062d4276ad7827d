// The pending graph and the kernels it will become, for people: as text and as an SVG picture.
#include <deque>
#include <sstream>

#include "expr/flight.h"
#include "expr/lower.h"
#include "expr/origin.h"
#include "expr/roll.h"
#include "runtime/lock.h"

namespace cuprum {

namespace {

// Under the graph's lock.
Schedule plan_of(std::span<const Array> arrays) {
  for (;;) {
    std::vector<Ref<Node>> roots;
    for (const Array& a : arrays) {
      if (!a.is_number() && a.storage()->pending) roots.push_back(a.storage()->pending);
    }
    Schedule plan;
    Flight* other = schedule(roots, plan);
    if (!other) return plan;
    wait_for(*other);
  }
}

// Makes the kernels that groups will become. Outputs have no memory yet: buffers at addresses that nobody has stand in, one per
// node; aligned as memory of a device is, so that the kernel is planned as it will be. They live as long as this does.
class Preview {
 public:
  explicit Preview(Schedule& plan) : plan_(plan) {}

  Kernel of(const Group& group, std::vector<Rolled>& rolls) {
    std::vector<Destination> outputs;
    group.each_output([&](Node* node) {
      outputs.push_back(plan_[*node].stored ? place(*node) : Destination{{}, node->strides});
    });
    Kernel kernel;
    lower(plan_, group, outputs, kernel, rolls);
    return kernel;
  }

  Destination place(Node& node) {
    next_ += kAlignment;
    Buffer* home =
        &stand_ins_.emplace_back(&node.backend(), reinterpret_cast<std::byte*>(next_), node.nbytes());
    plan_[node].home = home;
    return {{home, 0}, node.strides};
  }

 private:
  static constexpr std::uintptr_t kAlignment = 256;

  Schedule& plan_;
  std::uintptr_t next_ = std::uintptr_t{0x5B} << 56;
  std::deque<Buffer> stand_ins_;
};

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

// ", computes 2, reduces to 1, then computes 1, writes 1"
void print_stages(const Kernel& kernel, std::ostringstream& out) {
  Stage from{0, 0, 0};
  const Stage all{static_cast<std::uint16_t>(kernel.code.size()),
                  static_cast<std::uint16_t>(kernel.stores.size()),
                  static_cast<std::uint16_t>(kernel.reductions.size())};
  const bool several = !kernel.stages.empty();
  for (std::size_t s = 0; s < (several ? kernel.stages.size() : 1); ++s) {
    const Stage to = several ? kernel.stages[s] : all;
    out << (s == 0 ? ", computes " : ", then computes ") << to.code - from.code;
    if (to.stores != from.stores || !several) out << ", writes " << to.stores - from.stores;
    if (to.reductions != from.reductions) out << ", reduces to " << to.reductions - from.reductions;
    from = to;
  }
}

constexpr int kBoxWidth = 260, kBoxHeight = 44, kGapX = 30, kGapY = 34;

// Depth of each node below which it is drawn: the longest path from a node without pending operands.
std::vector<int> rows_of(const Schedule& plan, const Printer& printer) {
  std::vector<int> row(plan.nodes.size(), 0);
  for (const Ref<Node>& node : plan.nodes) {
    int& r = row[printer.number_of(*node)];
    for (int i = 0; i < node->nin; ++i) {
      if (node->in[i].node) r = std::max(r, row[printer.number_of(*node->in[i].node)] + 1);
    }
  }
  return row;
}

}  // namespace

std::string graph_text(std::span<const Array> arrays) {
  EngineLock lock;
  Schedule plan = plan_of(arrays);
  if (plan.nodes.empty()) return "nothing is pending\n";
  const Printer printer(plan);
  Preview preview(plan);
  std::ostringstream out;
  out << "pending: " << plan.nodes.size() << (plan.nodes.size() == 1 ? " node" : " nodes") << ", "
      << plan.groups.size() << (plan.groups.size() == 1 ? " kernel\n" : " kernels\n");
  for (const Ref<Node>& node : plan.nodes) out << "  " << printer.line(*node) << "\n";
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const Group& group = plan.groups[g];
    if (group.call) {
      preview.place(*group.call);
      out << "kernel " << g << ": " << operation_name(*group.call) << " ->" << printer.outputs(group) << "\n";
      continue;
    }
    std::vector<Rolled> rolls;
    const Kernel kernel = preview.of(group, rolls);
    out << "kernel " << g << ": loops over " << to_string(kernel.shape) << ", reads "
        << kernel.leaves.size() - kernel.draws.size();
    if (!rolls.empty())
      out << " (" << rolls.size() << " rolled, in " << blocks_of(kernel, rolls).count() << " blocks)";
    if (!kernel.gathers.empty()) out << " (" << kernel.gathers.size() << " by indices)";
    if (!kernel.draws.empty()) out << ", draws " << kernel.draws.size();
    print_stages(kernel, out);
    out << " ->" << printer.outputs(group);
    const std::string tier = rolls.empty() ? group.first().backend().tier(kernel) : "";
    if (!tier.empty()) out << " [" << tier << "]";
    out << "\n";
  }
  return out.str();
}

std::string graph_svg(std::span<const Array> arrays) {
  EngineLock lock;
  const Schedule plan = plan_of(arrays);
  const Printer printer(plan);
  const std::vector<int> row = rows_of(plan, printer);
  static const char* const colors[] = {"#cfe8ff", "#ffe3c2", "#d9f2d0", "#f3d1f4", "#fff3b0", "#d0f0ee"};
  std::vector<int> filled(plan.nodes.size() + 1, 0), column(plan.nodes.size(), 0);
  int columns = 1, rows = 1;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    column[i] = filled[row[i]]++;
    columns = std::max(columns, column[i] + 1);
    rows = std::max(rows, row[i] + 1);
  }
  auto x = [&](int i) { return 10 + column[i] * (kBoxWidth + kGapX); };
  auto y = [&](int i) { return 10 + row[i] * (kBoxHeight + kGapY); };
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << columns * (kBoxWidth + kGapX)
      << "\" height=\"" << rows * (kBoxHeight + kGapY) << "\" font-family=\"monospace\" font-size=\"11\">\n";
  for (const Ref<Node>& node : plan.nodes) {
    const int to = printer.number_of(*node);
    for (int i = 0; i < node->nin; ++i) {
      if (!node->in[i].node) continue;
      const int from = printer.number_of(*node->in[i].node);
      out << "<line x1=\"" << x(from) + kBoxWidth / 2 << "\" y1=\"" << y(from) + kBoxHeight << "\" x2=\""
          << x(to) + kBoxWidth / 2 << "\" y2=\"" << y(to) << "\" stroke=\"#888\""
          << (plan.is_fused(node->in[i]) ? "" : " stroke-dasharray=\"4\"") << "/>\n";
    }
  }
  for (const Ref<Node>& node : plan.nodes) {
    const int n = printer.number_of(*node);
    const int kernel = printer.kernel_of(*node);
    const char* fill = kernel >= 0 ? colors[kernel % 6] : "#f4f4f4";
    const std::string line = printer.line(*node);
    const std::size_t split = line.find(") ");
    out << "<rect x=\"" << x(n) << "\" y=\"" << y(n) << "\" width=\"" << kBoxWidth << "\" height=\""
        << kBoxHeight << "\" rx=\"6\" fill=\"" << fill << "\" stroke=\"#555\"/>\n"
        << "<text x=\"" << x(n) + 8 << "\" y=\"" << y(n) + 18 << "\">" << escaped(line.substr(0, split + 1))
        << "</text>\n<text x=\"" << x(n) + 8 << "\" y=\"" << y(n) + 34 << "\" fill=\"#555\">"
        << escaped(line.substr(split + 2)) << (kernel >= 0 ? "  kernel " + std::to_string(kernel) : "")
        << "</text>\n";
  }
  out << "</svg>\n";
  return out.str();
}

}  // namespace cuprum
