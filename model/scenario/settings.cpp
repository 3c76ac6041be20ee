// SPDX-License-Identifier: GPL-2.0-or-later
//
// hash, cpus, sizing, collide and budget: ranges, and what they demand of each other.
#include <bit>
#include <set>

#include "model/scenario/context.hpp"
#include "model/scenario/limits.hpp"
#include "model/scenario/vocabulary.hpp"

namespace futexmc::scenario {
namespace {

/// Bucket counts are powers of two: the kernel masks the hash with count - 1.
bool check_slots(const Context& context, const ast::Constant& slots, const std::string& what) {
  const bool good = slots.value >= 2 && slots.value <= kMaxSlots &&
                    std::has_single_bit(static_cast<std::uint64_t>(slots.value));
  if (!good)
    context.report(slots.at, what + " must be a power of two between 2 and " +
                                 std::to_string(kMaxSlots));
  return good;
}

void compile_hash(const Context& context) {
  if (!context.file.hash) return;
  const ast::Hash& hash = *context.file.hash;
  context.out.hash.kind = hash.kind;
  if (hash.kind == Hash::Kind::private_ &&
      check_slots(context, hash.slots, "the size of a private hash"))
    context.out.hash.slots = static_cast<int>(hash.slots.value);
}

/// Stores one `key value` of sizing or budget into the field that `key` names.
template <class Fields>
int* find_field(const Context& context, const ast::Setting& setting, const Fields& fields,
                const std::string& what, std::set<std::string>& seen) {
  std::vector<std::string> names;
  for (const auto& [name, field] : fields) {
    if (name != setting.key.text) {
      names.emplace_back(name);
      continue;
    }
    if (seen.insert(setting.key.text).second) return field;
    context.report(setting.key.at, quoted(setting.key.text) + " is set twice");
    return nullptr;
  }
  context.report(setting.key.at, "unknown " + what + " " + quoted(setting.key.text) +
                                     suggestion(setting.key.text, names));
  return nullptr;
}

using Fields = std::vector<std::pair<std::string_view, int*>>;

void compile_sizing(const Context& context) {
  Sizing& sizing = context.out.sizing;
  const Fields fields{{"minimum", &sizing.minimum},
                      {"per_thread", &sizing.per_thread},
                      {"maximum", &sizing.maximum}};
  std::set<std::string> seen;
  for (const ast::Setting& setting : context.file.sizing) {
    int* field = find_field(context, setting, fields, "sizing constant", seen);
    if (!field) continue;
    const bool good =
        field == &sizing.per_thread
            ? check_range(context, setting.value, 1, kMaxPerThread, quoted(setting.key.text))
            : check_slots(context, setting.value, quoted(setting.key.text));
    if (good) *field = static_cast<int>(setting.value.value);
  }
  if (sizing.minimum > sizing.maximum)
    context.report(context.file.sizing[0].key.at,
                   "sizing: minimum " + std::to_string(sizing.minimum) + " exceeds maximum " +
                       std::to_string(sizing.maximum));
}

void compile_budgets(const Context& context) {
  Budgets& budgets = context.out.budgets;
  const Fields fields{{"spurious", &budgets.spurious},     {"signal", &budgets.signal},
                      {"fault", &budgets.fault},           {"migrate", &budgets.migrate},
                      {"alloc_fail", &budgets.alloc_fail}, {"reuse", &budgets.reuse}};
  std::set<std::string> seen;
  for (const ast::Setting& setting : context.file.budgets) {
    int* field = find_field(context, setting, fields, "budget", seen);
    if (field && check_range(context, setting.value, 0, kMaxBudget, quoted(setting.key.text)))
      *field = static_cast<int>(setting.value.value);
  }
}

/// `collide a, b, c` becomes the pairs (a, b) and (a, c).
void compile_collision(const Context& context, const std::vector<ast::Name>& names) {
  std::optional<int> first;
  std::set<int> seen;
  for (const ast::Name& name : names) {
    const auto index = require_word(context, name);
    if (!index) continue;
    if (!context.out.words[static_cast<std::size_t>(*index)].futex)
      context.report(name.at, quoted(name.text) + " is a var: only words have a bucket");
    if (!seen.insert(*index).second)
      context.report(name.at, quoted(name.text) + " always shares a bucket with itself");
    if (first) context.out.collisions.push_back({*first, *index});
    if (!first) first = index;
  }
}

}  // namespace

void compile_settings(const Context& context) {
  compile_hash(context);
  if (context.file.cpus && check_range(context, *context.file.cpus, 1, kMaxCpus, "'cpus'"))
    context.out.cpus = static_cast<int>(context.file.cpus->value);
  if (context.file.signals) context.out.signals = context.file.signals->kind;
  context.out.strict = context.file.scheduling && context.file.scheduling->strict;
  compile_sizing(context);
  compile_budgets(context);
  for (const auto& names : context.file.collisions) compile_collision(context, names);
}

}  // namespace futexmc::scenario
