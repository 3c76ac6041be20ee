// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/recording.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "checker/machine.hpp"
#include "model/scenario/scenario.hpp"
#include "model/world.hpp"
#include "properties/proofs/memory/protection.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

using checker::arena;
using checker::Hash128;
using checker::Operation;

constexpr std::size_t kMaxNodes = 20000;   // of one thread
constexpr std::size_t kMaxDomain = 2000;   // values of one cell
constexpr std::size_t kMaxRounds = 40;

const Subject* recorded = nullptr;
std::vector<std::int64_t>* results = nullptr;

void run_body(std::uint64_t thread) {
  // What a body does before its first operation must not happen while the world is laid out.
  checker::announce({.name = "start", .loc = checker::Loc::here()});
  checker::remember_done();
  recorded->threads[thread].body();
}

class World final : public checker::Program {
 public:
  World(const Subject& subject, const scenario::Scenario& scenario, const model::Variant& variant)
      : subject_(subject), scenario_(scenario), variant_(variant) {}

  void build(checker::Builder& builder) override {
    model::build_world(builder, scenario_, variant_);
    builder.take_threads();
    builder.take_events();
    // What another thread brings to life is there in its own run only.
    for (const checker::Object& object : arena.layout.objects()) {
      arena.write_cell(object.liveness, 0, true);
    }
    if (subject_.prepare != nullptr) subject_.prepare();
    for (std::size_t i = 0; i < subject_.threads.size(); ++i) {
      builder.thread({subject_.threads[i].name, &run_body, i, false});
    }
  }

 private:
  const Subject& subject_;
  const scenario::Scenario& scenario_;
  const model::Variant& variant_;
};

/// Hears what the model says of a run that no execution need be.
class Listener final : public checker::Monitor {
 public:
  Listener() : before_(checker::rt.monitor) { checker::rt.monitor = this; }
  ~Listener() override { checker::rt.monitor = before_; }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  void violation(std::string_view property, std::string_view message) override {
    last = std::string(property) + ": " + std::string(message);
  }
  void discipline_broken(std::uint32_t /*cell*/) override {}
  void bound_reached(std::string_view what) override { last = what; }
  std::string last;

 private:
  checker::Monitor* before_;
};

bool is_protected(const Operation& op) {
  return op.mover == checker::Mover::both && op.cell != checker::kNoCell;
}

/// How often a run has performed the operations of each place in the code: two that have been round
/// a loop differently are not one, or the run that was round more often would cut the other.
using Rounds = std::map<std::pair<std::string_view, int>, int>;

/// A situation of one thread, from which it can be run on.
struct Saved {
  std::vector<std::uint64_t> cells;
  std::vector<char> thread;
  Hash128 identity;
  std::optional<std::size_t> before;  // the node it was first reached from
  Known known;
  Held held;
  Rounds rounds;
};

class Recorder {
 public:
  Recorder(const Subject& subject, const model::Variant& variant,
           const futexmc::proofs::Watch* watch)
      : watch_(watch), subject_(subject), scenario_(parse(subject)),
        world_(subject, scenario_, variant), machine_(world_) {}

  Recording run() {
    recorded = &subject_;
    machine_.reset(false, true);
    keep_world();
    locks_ = Protection(out_.initial, subject_.threads.size());
    // With what the locks are known to protect now; that changes a limited number of times.
    for (std::size_t rounds = 0; rounds < kMaxRounds;) {
      grown_.clear();
      out_.threads.clear();
      for (std::size_t id = 0; id < subject_.threads.size(); ++id) record_thread(id);
      ++rounds;
      if (locks_.begins_anew()) {
        // What was recorded with less under a lock is of situations that cannot be.
        out_.domains.clear();
        read_.clear();
        rounds = 0;
        continue;
      }
      const bool locks_settled = !locks_.take_news();
      if (locks_settled && (grown_.empty() || followed_far_enough(rounds))) {
        for (ThreadRecording& thread : out_.threads) merge(thread);
        return std::move(out_);
      }
    }
    throw std::runtime_error("the recorder's values do not settle");
  }

 private:
  static scenario::Scenario parse(const Subject& subject) {
    scenario::Result parsed = scenario::parse(subject.scenario, "theorem");
    if (!parsed.scenario) throw std::invalid_argument("a theorem's scenario does not parse");
    return std::move(*parsed.scenario);
  }

  void keep_world() {
    const std::uint32_t used = arena.layout.used();
    out_.initial.assign(checker::cells(), checker::cells() + used);
    std::map<const checker::Object*, int> numbers;
    for (std::uint32_t cell = 0; cell < used; ++cell) {
      out_.cell_names.push_back(arena.layout.cell_name(cell));
      const checker::Object* const object = &arena.layout.object_of(cell);
      out_.object_of.push_back(
          numbers.try_emplace(object, static_cast<int>(numbers.size())).first->second);
    }
    for (std::size_t id = 0; id < subject_.threads.size(); ++id) {
      std::vector<char> bytes(checker::Machine::saved_size(id));
      checker::Machine::save_thread(id, bytes.data());
      starts_.push_back(std::move(bytes));
    }
  }

  void record_thread(std::size_t id) {
    out_.threads.push_back({subject_.threads[id].name, {}});
    saved_.clear();
    places_.clear();
    nodes_ = &out_.threads.back().nodes;
    id_ = id;
    load({out_.initial, starts_[id], {}, std::nullopt, {}, {}, {}});
    place(0, std::nullopt, "", {}, {});
    for (std::size_t at = 0; at < nodes_->size() && !locks_.is_stale(); ++at) expand(at);
  }

  void load(const Saved& saved) const {
    std::memcpy(checker::cells(), saved.cells.data(), saved.cells.size() * sizeof(std::uint64_t));
    checker::Machine::load_thread(id_, saved.thread.data());
    arena.undo.clear();
  }

  /// The node of the situation at hand, made if it is new.
  std::size_t place(std::size_t depth, std::optional<std::size_t> before, const std::string& note,
                    Known known, Held held) {
    const checker::Thread& thread = checker::thread_record(id_);
    const Hash128 identity = checker::Machine::thread_hash(id_);
    Rounds rounds = before ? saved_[*before].rounds : Rounds();
    if (before) {
      const checker::Loc& loc = (*nodes_)[*before].operation.loc;
      ++rounds[{loc.file, loc.line}];
    }
    const auto [at, fresh] = places_.try_emplace(
        std::tuple(depth, identity.a, identity.b, known, found(held), repeated(rounds)),
        nodes_->size());
    if (!fresh) return at->second;
    if (nodes_->size() == kMaxNodes) {
      throw std::runtime_error(std::string("too many situations of ") + subject_.threads[id_].name);
    }
    Node node;
    node.depth = depth;
    const auto& until = subject_.threads[id_].until;
    const bool far_enough = until != nullptr && until();
    if (thread.status == checker::Status::finished || far_enough) node.end = End::finished;
    else if (thread.status == checker::Status::faulted) node.end = End::faulted;
    else if (visits(identity, before) >= subject_.rounds) node.end = End::cut;
    node.goes_on = far_enough || node.end == End::cut || node.end == End::faulted;
    node.note = node.end == End::faulted ? note : "";
    if (node.end == End::none) {
      node.operation = thread.pending;
      node.function = checker::function_of(thread);
    }
    nodes_->push_back(std::move(node));
    Saved saved{{checker::cells(), checker::cells() + out_.initial.size()}, {}, identity, before,
                std::move(known), std::move(held), std::move(rounds)};
    saved.thread.resize(checker::Machine::saved_size(id_));
    checker::Machine::save_thread(id_, saved.thread.data());
    saved_.push_back(std::move(saved));
    return at->second;
  }

  static Rounds repeated(Rounds rounds) {
    std::erase_if(rounds, [](const auto& one) { return one.second < 2; });
    return rounds;
  }

  int visits(Hash128 identity, std::optional<std::size_t> node) const {
    int count = 0;
    for (; node; node = saved_[*node].before) count += saved_[*node].identity == identity ? 1 : 0;
    return count;
  }

  void expand(std::size_t at) {
    futexmc::proofs::check(watch_);
    if ((*nodes_)[at].end != End::none) return;
    const Operation op = (*nodes_)[at].operation;
    if (op.alternatives > 1) throw std::runtime_error("an operation with alternatives");
    if (!reads(op)) return perform(at, op, std::nullopt);
    if (takes_lock(op)) return take(at, op);
    auto& domain = out_.domains[op.cell];
    domain.insert(out_.initial[op.cell]);
    if (read_.insert(op.cell).second) grown_.insert(op.cell);
    const auto known = saved_[at].known.find(op.cell);
    if (known != saved_[at].known.end()) {
      (*nodes_)[at].known = true;
      return perform(at, op, known->second);
    }
    // A copy: what is performed may add to it, for the next round.
    for (const std::uint64_t value : std::vector(domain.begin(), domain.end())) {
      perform(at, op, value);
    }
  }

  /// Takes a lock, with every content that it may have.
  void take(std::size_t at, const Operation& op) {
    for (const Content& content : std::vector(locks_.contents(op.cell))) {
      if (content.after[id_] > 0 && content.after[id_] >= (*nodes_)[at].depth) continue;
      perform(at, op, 0, &content);
    }
  }

  static std::vector<std::vector<std::size_t>> found(const Held& held) {
    std::vector<std::vector<std::size_t>> after;
    for (const auto& [cell, content] : held) after.push_back(content.after);
    return after;
  }

  void perform(std::size_t at, const Operation& op, std::optional<std::uint64_t> value,
               const Content* content = nullptr) {
    load(saved_[at]);
    if (value) checker::cells()[op.cell] = *value;
    if (!takes_lock(op) && op.guard.kind != checker::Guard::Kind::always &&
        !checker::passes(op.guard)) {
      if (!value) throw std::runtime_error("an operation that waits for what it does not read");
      (*nodes_)[at].blocking.push_back(*value);
      return;
    }
    std::vector<std::int64_t> seen_results;
    results = &seen_results;
    listener_.last.clear();
    arena.undo.clear();
    machine_.step(id_, 0);
    results = nullptr;
    Group group;
    group.results = std::move(seen_results);
    group.stores = side_stores(op);
    const std::uint64_t after = op.cell == checker::kNoCell ? 0 : checker::cells()[op.cell];
    Known known = saved_[at].known;
    auto held = saved_[at].held;
    if (content != nullptr) {
      known.insert(content->cells.begin(), content->cells.end());
      held.emplace_back(op.cell, *content);
    } else if (drops_lock(op)) {
      (*nodes_)[at].left = locks_.leave(op.cell, known, held, id_, (*nodes_)[at].depth);
      std::erase_if(held, [&](const auto& one) { return one.first == op.cell; });
    } else if (writes(op) && held.empty() && !is_protected(op)) {
      locks_.write_without_lock(op.cell);
    } else if (is_protected(op) || known.contains(op.cell)) {
      if (is_protected(op)) locks_.claim(op.cell, held);
      // What is read without a lock because nobody changes it is not known if somebody does.
      const bool constant = out_.domains[op.cell].size() < 2;
      if (!held.empty() || writes(op) || constant) known[op.cell] = after;
    }
    for (const auto& [cell, stored] : group.stores) {
      if (known.contains(cell) || locks_.owned(cell)) known[cell] = stored;
    }
    group.next = place((*nodes_)[at].depth + 1, at, listener_.last, std::move(known),
                       std::move(held));
    if (sleeps(op) && subject_.until_awake) {
      (*nodes_)[group.next].end = End::finished;
      (*nodes_)[group.next].goes_on = true;
    }
    if (writes(op) && !takes_lock(op) && !drops_lock(op)) grow(op.cell, after);
    for (const auto& [cell, stored] : group.stores) grow(cell, stored);
    const std::uint64_t found = content != nullptr ? content->number : value.value_or(0);
    join((*nodes_)[at].groups, std::move(group), {found, content != nullptr ? kTaken : after});
  }

  /// The cells other than the operation's that the step wrote, in order, with their last values.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> side_stores(const Operation& op) const {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> stores;
    for (const checker::UndoEntry& entry : arena.undo) {
      const bool known = std::any_of(stores.begin(), stores.end(), [&](const auto& one) {
        return one.first == entry.index;
      });
      if (entry.index != op.cell && !known) {
        stores.emplace_back(entry.index, checker::cells()[entry.index]);
      }
    }
    return stores;
  }

  static void join(std::vector<Group>& groups, Group group,
                   std::pair<std::uint64_t, std::uint64_t> values) {
    for (Group& one : groups) {
      const bool same = one.next == group.next && one.stores == group.stores &&
                        one.results == group.results;
      if (!same) continue;
      one.values.push_back(values);
      return;
    }
    group.values.push_back(values);
    groups.push_back(std::move(group));
  }

  void grow(std::uint32_t cell, std::uint64_t value) {
    auto& domain = out_.domains[cell];
    if (!domain.insert(value).second || !read_.contains(cell)) return;
    grown_.insert(cell);
    if (domain.size() > kMaxDomain) {
      throw std::runtime_error("too many values of " + out_.cell_names[cell]);
    }
  }

  /// Whether the cells that still grow are counters, followed for as many steps as there are writes
  /// to them in any one execution.
  bool followed_far_enough(std::size_t rounds) const {
    return std::all_of(grown_.begin(), grown_.end(), [&](std::uint32_t cell) {
      std::size_t writes = 0;
      for (const ThreadRecording& thread : out_.threads) writes += most_writes(thread, cell);
      return rounds > writes;
    });
  }

  const futexmc::proofs::Watch* watch_;
  const Subject& subject_;
  scenario::Scenario scenario_;
  World world_;
  Listener listener_;
  checker::Machine machine_;
  Recording out_;
  std::vector<std::vector<char>> starts_;
  Protection locks_;
  std::set<std::uint32_t> read_;   // cells that some operation reads
  std::set<std::uint32_t> grown_;  // of these, in this round
  std::size_t id_ = 0;
  std::vector<Node>* nodes_ = nullptr;
  std::vector<Saved> saved_;  // by node
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t, Known,
                      std::vector<std::vector<std::size_t>>, Rounds>,
           std::size_t>
      places_;
};

}  // namespace

void result(std::int64_t value) {
  checker::recall(static_cast<std::uint64_t>(value));
  checker::announce({.name = "result", .loc = checker::Loc::here()});
  if (results != nullptr) results->push_back(value);
  checker::remember_done();
}

int Recording::target_of(std::uint64_t value) const {
  const bool inside = value >= checker::kArenaBase &&
                      value < checker::kArenaBase + initial.size() * sizeof(std::uint64_t);
  return inside ? object_of[(value - checker::kArenaBase) / sizeof(std::uint64_t)] : -1;
}

Recording record(const Subject& subject, const model::Variant& variant,
                 const futexmc::proofs::Watch* watch) {
  return Recorder(subject, variant, watch).run();
}

}  // namespace futexmc::properties::proofs::memory
