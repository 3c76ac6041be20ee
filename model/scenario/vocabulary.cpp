// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <utility>

namespace futexmc::scenario {
namespace {

using Term = Condition::Term;
using enum ast::Binary;

constexpr std::array<Operator, 14> kOperators{{
    {logical_or, "||", 1, Op::end, Term::logical_or},
    {logical_and, "&&", 2, Op::end, Term::logical_and},
    {bit_or, "|", 3, Op::bit_or, Term::bit_or},
    {bit_xor, "^", 4, Op::bit_xor, Term::bit_xor},
    {bit_and, "&", 5, Op::bit_and, Term::bit_and},
    {equal, "==", 6, Op::equal, Term::equal},
    {not_equal, "!=", 6, Op::not_equal, Term::not_equal},
    {less, "<", 7, Op::less, Term::less},
    {less_equal, "<=", 7, Op::less_equal, Term::less_equal},
    {greater, ">", 7, Op::greater, Term::greater},
    {greater_equal, ">=", 7, Op::greater_equal, Term::greater_equal},
    {add, "+", 8, Op::add, Term::add},
    {subtract, "-", 8, Op::subtract, Term::subtract},
    {multiply, "*", 9, Op::multiply, Term::multiply},
}};

constexpr Function kFunctions[] = {
    {.name = "load", .op = Op::load, .subject = Subject::shared, .arguments = 1, .order = true},
    {.name = "store", .op = Op::store, .subject = Subject::shared, .arguments = 2, .order = true},
    {.name = "xchg", .op = Op::exchange, .subject = Subject::shared, .arguments = 2,
     .order = true},
    {.name = "cmpxchg", .op = Op::compare_exchange, .subject = Subject::shared, .arguments = 3,
     .order = true},
    {.name = "fetch_add", .op = Op::fetch_add, .subject = Subject::shared, .arguments = 2,
     .order = true},
    {.name = "futex_wait", .op = Op::futex_wait, .subject = Subject::futex, .arguments = 2,
     .timeout = true, .bitset = true, .shared = true, .flags = true},
    {.name = "futex_wake", .op = Op::futex_wake, .subject = Subject::futex, .arguments = 2,
     .bitset = true, .shared = true, .flags = true},
    {.name = "futex_requeue", .op = Op::futex_requeue, .subject = Subject::futex, .arguments = 4,
     .second = 3, .shared = true, .flags = true},
    {.name = "futex_cmp_requeue", .op = Op::futex_cmp_requeue, .subject = Subject::futex,
     .arguments = 5, .second = 3, .shared = true, .flags = true},
    {.name = "futex_wake_op", .op = Op::futex_wake_op, .subject = Subject::futex, .arguments = 8,
     .second = 3, .shared = true, .flags = true, .encoded = true},
    {.name = "futex_waitv", .op = Op::futex_waitv, .subject = Subject::futex, .arguments = 2,
     .timeout = true, .shared = true, .flags = true, .pairs = true},
    {.name = "futex2_wait", .op = Op::futex2_wait, .subject = Subject::futex, .arguments = 2,
     .timeout = true, .bitset = true, .shared = true, .flags = true},
    {.name = "futex2_wake", .op = Op::futex2_wake, .subject = Subject::futex, .arguments = 2,
     .bitset = true, .shared = true, .flags = true},
    {.name = "futex2_requeue", .op = Op::futex2_requeue, .subject = Subject::futex,
     .arguments = 5, .second = 2, .shared = true, .flags = true},
    {.name = "futex_lock_pi", .op = Op::futex_lock_pi, .subject = Subject::futex, .arguments = 1,
     .timeout = true, .shared = true, .flags = true},
    {.name = "futex_lock_pi2", .op = Op::futex_lock_pi2, .subject = Subject::futex, .arguments = 1,
     .timeout = true, .shared = true, .flags = true},
    {.name = "futex_trylock_pi", .op = Op::futex_trylock_pi, .subject = Subject::futex,
     .arguments = 1, .shared = true, .flags = true},
    {.name = "futex_unlock_pi", .op = Op::futex_unlock_pi, .subject = Subject::futex,
     .arguments = 1, .shared = true, .flags = true},
    {.name = "futex_wait_requeue_pi", .op = Op::futex_wait_requeue_pi, .subject = Subject::futex,
     .arguments = 3, .second = 2, .timeout = true, .shared = true, .flags = true},
    {.name = "futex_cmp_requeue_pi", .op = Op::futex_cmp_requeue_pi, .subject = Subject::futex,
     .arguments = 5, .second = 3, .shared = true, .flags = true},
    {.name = "gettid", .op = Op::gettid, .subject = Subject::none, .arguments = 0},
    {.name = "SET_SLOTS", .op = Op::set_slots, .subject = Subject::none, .arguments = 1},
    {.name = "GET_SLOTS", .op = Op::get_slots, .subject = Subject::none, .arguments = 0},
    {.name = "clone", .op = Op::clone, .subject = Subject::thread, .arguments = 1},
};

constexpr Predicate kPredicates[] = {
    {"asleep", Term::asleep, 1}, {"finished", Term::finished, 1}, {"slots", Term::slots, 0},
    {"tid", Term::tid, 1}};

// Linux errno numbers, written out: the model is the same on every host.
constexpr std::pair<std::string_view, std::int64_t> kConstants[] = {
    {"INT_MAX", INT32_MAX}, {"EAGAIN", 11}, {"EWOULDBLOCK", 11}, {"ETIMEDOUT", 110},
    {"EINTR", 4},           {"EINVAL", 22}, {"EFAULT", 14},      {"ENOMEM", 12},
    {"EBUSY", 16},          {"EPERM", 1},   {"ESRCH", 3},        {"EDEADLK", 35},
    {"ENOSYS", 38},
    {"FUTEX_WAITERS", 0x80000000}, {"FUTEX_OWNER_DIED", 0x40000000},
    {"FUTEX_TID_MASK", 0x3fffffff}};

constexpr std::pair<std::string_view, UserOrder> kOrders[] = {
    {"relaxed", UserOrder::relaxed}, {"acquire", UserOrder::acquire},
    {"release", UserOrder::release}, {"seq_cst", UserOrder::full}};

constexpr std::string_view kItems[] = {
    "title",  "word",   "var",    "hash",    "cpus",  "scheduling", "signals", "sizing",
    "collide", "budget", "thread", "finally", "never", "sometimes"};

constexpr std::string_view kKeywords[] = {"int",    "if",      "else",   "while", "repeat",
                                          "settle", "timeout", "bitset", "shared", "flags"};

/// Edit distance, with swapped neighbours as one edit ("wrod"). Names are short enough for the
/// plain table.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

template <class Table>
auto find_named(const Table& table, std::string_view name) -> decltype(std::data(table)) {
  const auto* found = std::ranges::find(table, name, [](const auto& e) { return e.name; });
  return found == std::end(table) ? nullptr : found;
}

template <class Table>
auto find_second(const Table& table, std::string_view name) {
  const auto* found = std::ranges::find(table, name, [](const auto& e) { return e.first; });
  return found == std::end(table) ? std::nullopt : std::optional(found->second);
}

}  // namespace

const Operator* find_operator(std::string_view text) {
  const auto* found = std::ranges::find(kOperators, text, &Operator::text);
  return found == kOperators.end() ? nullptr : found;
}

const Operator& operator_of(ast::Binary binary) {
  return kOperators[static_cast<std::size_t>(binary)];
}

const Function* find_function(std::string_view name) { return find_named(kFunctions, name); }

const Function* function_of(Op op) {
  const auto* found = std::ranges::find(kFunctions, op, &Function::op);
  return found == std::end(kFunctions) ? nullptr : found;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : kFunctions) names.emplace_back(function.name);
  return names;
}

std::span<const Predicate> predicates() { return kPredicates; }

const Predicate* find_predicate(std::string_view name) { return find_named(kPredicates, name); }

std::string written(std::int64_t value) {
  for (const auto& [name, number] : kConstants) {
    if (value < 0 && value > -200 && number == -value) return "-" + std::string(name);
  }
  return std::to_string(value);
}

std::optional<std::int64_t> find_constant(std::string_view name) {
  return find_second(kConstants, name);
}

std::optional<UserOrder> find_order(std::string_view name) { return find_second(kOrders, name); }

std::string_view order_name(UserOrder order) {
  return std::ranges::find(kOrders, order, [](const auto& e) { return e.second; })->first;
}

bool starts_item(std::string_view word) {
  return std::ranges::find(kItems, word) != std::end(kItems);
}

std::vector<std::string> item_words() { return {std::begin(kItems), std::end(kItems)}; }

bool is_reserved(std::string_view word) {
  return starts_item(word) || std::ranges::find(kKeywords, word) != std::end(kKeywords) ||
         find_order(word) || find_constant(word) || find_function(word) || find_predicate(word);
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string* nearest = nullptr;
  std::size_t best = std::max<std::size_t>(2, name.size() / 3 + 1);  // this far is not near
  for (const std::string& candidate : candidates) {
    const std::size_t d = distance(name, candidate);
    if (d < best && d < candidate.size()) {
      best = d;
      nearest = &candidate;
    }
  }
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

}  // namespace futexmc::scenario
