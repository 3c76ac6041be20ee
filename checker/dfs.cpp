// SPDX-License-Identifier: GPL-2.0-or-later
//
// Stateful depth-first search with sleep sets.
//
// A frame stands for a state on the current path. All transitions from it are run at once, one
// after the other, and only then looked up: a lookup costs a cache miss, and the misses overlap.
// Then the search descends into those states that are new, the one run last first: it still stands
// in the arena. The others are run again. Before a transition the thread that moves is saved; to go
// back, the cells are taken from the undo log and the thread from its copy.
//
// Invariants
//  1. With frames [f0..fn], the arena holds fn's state, or fn's state after its current choice.
//  2. A state is marked visited when it is generated. Whoever generated it will enter it.
//  3. A frame's first footprints are of its sleeping agents: their transitions from this state are
//     explored elsewhere in an order that leads to the same states. The others are of agents run
//     from here, in that order; each sleeps in the states that the later ones lead to.
//  4. The sleep mask stored with a state is the set of agents that no arrival asked to explore from
//     it. A later arrival explores those that it would not let sleep, and its frame lets only those
//     sleep that sleep for all arrivals so far (P. Godefroid, Partial-Order Methods, 1996, 5.3):
//     otherwise two arrivals could each leave one order of a pair to the other.
#include <algorithm>
#include <bit>
#include <new>

#include "checker/assert.hpp"
#include "checker/audit.hpp"
#include "checker/dfs_frame.hpp"
#include "checker/observer.hpp"
#include "checker/visited.hpp"

namespace futexmc::checker {
namespace {

class DepthFirst final : public Observer {
 public:
  DepthFirst(Machine& machine, const Options& options)
      : Observer(machine, options), visited_(options.sleep_sets) {
    visited_.set_max_bytes(options.max_bytes);
  }

  void run() {
    try {
      explore();
    } catch (const std::bad_alloc&) {
      result.limit = Limit::memory;
    }
    if (options_.audit) result.audit_failures = audit_.failures();
    result.bytes = std::max<std::uint64_t>(result.bytes, bytes());
    result.collision_odds = visited_.collision_odds(static_cast<double>(result.states));
    finish();
  }

 protected:
  Path path() const override {
    Path path;
    for (const Frame& frame : frames_) path.push_back({frame.agent, frame.alternative});
    return path;
  }

 private:
  /// What the stack holds of a path is found by 32 bits; a transition adds less than what is left.
  static constexpr std::size_t kLongest = ~0U - (1U << 24);

  void explore() {
    machine_.reset(options_.movers, options_.scoped);
    Child root{};
    root.fingerprint = machine_.fingerprint();
    if (options_.watcher != nullptr) options_.watcher->begin();
    if (options_.audit) audit_arrival();
    if (admit(root)) enter(root);
    while (!frames_.empty()) {
      if (children_.size() == frames_.back().children_at) {
        leave();
        continue;
      }
      if (!keep_going(bytes(), frames_.size())) return;
      if (std::max(saved_end_, arena.undo.size()) > kLongest) {
        result.limit = Limit::memory;  // of a path, whatever the machine has
        return;
      }
      descend();
    }
  }

  std::uint64_t bytes() const {
    return visited_.bytes() + saved_.capacity() + frames_.capacity() * sizeof(Frame) +
           footprints_.capacity() * sizeof(Footprint) + children_.capacity() * sizeof(Child) +
           arena.undo.capacity() * sizeof(UndoEntry);
  }

  /// Deals with the state in the arena, to which `child` of the innermost frame leads.
  void enter(const Child& child) {
    const AgentMask enabled = machine_.enabled();
    if (child.fresh) {
      ++result.states;
      visit_state();
      if (machine_.is_final(enabled)) visit_final();
    }
    const AgentMask todo = enabled & (child.fresh ? ~child.sleep : child.todo);
    if (todo == 0) {
      if (!frames_.empty()) take_back(frames_.back());
      return;
    }
    const std::size_t footprints_at = footprints_.size();
    if (child.sleep != 0) inherit(child);
    frames_.push_back({arena.shared_hash, machine_.threads_hash(), narrow(arena.undo.size()),
                       narrow(saved_end_), narrow(footprints_at), narrow(children_.size()), 0, 0,
                       0});
    result.max_depth = std::max(result.max_depth, frames_.size());
    run_children(todo);
    sift_children();
  }

  /// Gives the state in the arena the footprints of those that sleep in it.
  void inherit(const Child& child) {
    const std::size_t first = frames_.back().footprints_at;
    for (std::size_t i = first; i < first + child.footprints; ++i) {
      const Footprint other = footprints_[i];
      if ((child.sleep >> other.agent & 1) != 0) footprints_.push_back(other);
    }
  }

  /// Runs every transition of the agents `todo` from the innermost frame; leaves the last standing.
  void run_children(AgentMask todo) {
    Frame& frame = frames_.back();
    standing_ = false;
    if (options_.watcher != nullptr) [[unlikely]] options_.watcher->before();
    for (; todo != 0; todo &= todo - 1) {
      const auto agent = static_cast<std::uint8_t>(std::countr_zero(todo));
      const unsigned alternatives = machine_.alternatives(agent);
      const std::uint32_t saved_at = save(agent);
      Footprint footprint{agent, 0, 0};
      for (unsigned i = 0; i < alternatives; ++i) {
        if (standing_) take_back(frame);
        step(frame, agent, static_cast<std::uint8_t>(i), saved_at);
        ++result.transitions;
        footprint.reads |= rt.reads;
        footprint.writes |= rt.writes;
        const Hash128 fingerprint = machine_.fingerprint();
        visited_.prefetch(fingerprint);
        const std::size_t before = footprints_.size() - frame.footprints_at;
        children_.push_back({fingerprint, sleepers(frame), 0, saved_at, agent,
                             static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(before),
                             false});
        if (options_.audit) audit_arrival();
        if (stopped()) return;
      }
      if (options_.sleep_sets) footprints_.push_back(footprint);
    }
  }

  /// Agents of which a footprint stands in the frame, independent of the transition just made.
  AgentMask sleepers(const Frame& frame) const {
    AgentMask mask = 0;
    for (std::size_t i = frame.footprints_at; i < footprints_.size(); ++i) {
      const Footprint& other = footprints_[i];
      const bool conflict = (other.writes & (rt.reads | rt.writes)) != 0 ||
                            (rt.writes & (other.reads | other.writes)) != 0;
      if (!conflict) mask |= 1U << other.agent;
    }
    return mask;
  }

  /// Drops those children of the innermost frame that lead to where nothing is left to do.
  void sift_children() {
    std::size_t kept = frames_.back().children_at;
    bool last_kept = false;
    for (std::size_t i = kept; i < children_.size(); ++i) {
      last_kept = admit(children_[i]);
      if (last_kept) children_[kept++] = children_[i];
    }
    children_.resize(kept);
    if (!last_kept) take_back(frames_.back());
    standing_ = last_kept;
  }

  /// Whether the child's state is to be entered.
  bool admit(Child& child) {
    child.fresh = true;
    if (!options_.stateful) return true;
    const Visited::Slot slot = visited_.insert(child.fingerprint);
    if (slot.result == Visited::Insert::full) {
      result.limit = Limit::memory;
      return false;
    }
    child.fresh = slot.result == Visited::Insert::fresh;
    if (child.fresh) {
      if (slot.sleep != nullptr) *slot.sleep = child.sleep;
      return true;
    }
    ++result.matched;
    if (slot.sleep == nullptr) return false;
    child.todo = *slot.sleep & ~child.sleep;
    child.sleep &= *slot.sleep;
    *slot.sleep = child.sleep;
    return child.todo != 0;
  }

  /// Enters the last child of the innermost frame.
  void descend() {
    const Child child = children_.back();
    children_.pop_back();
    if (!standing_) {
      // Whatever this transition reports was recorded when it ran first.
      muted = true;
      step(frames_.back(), child.agent, child.alternative, child.saved_at);
      muted = false;
    }
    standing_ = false;
    enter(child);
  }

  void leave() {
    footprints_.resize(frames_.back().footprints_at);
    saved_end_ = frames_.back().saved_at;
    frames_.pop_back();
    if (!frames_.empty()) take_back(frames_.back());
  }

  void step(Frame& frame, std::uint8_t agent, std::uint8_t alternative, std::uint32_t saved_at) {
    frame.agent = agent;
    frame.alternative = alternative;
    frame.moved_at = saved_at;
    machine_.step(agent, alternative);
    if (options_.watcher != nullptr && !muted) [[unlikely]] options_.watcher->after();
    standing_ = true;
  }

  std::uint32_t save(std::size_t agent) {
    const std::size_t at = saved_end_;
    if (machine_.is_thread(agent)) {
      const std::size_t size = Machine::saved_size(agent);
      if (saved_.size() < at + size) grow_saved(at + size);
      saved_end_ += Machine::save_thread(agent, saved_.data() + at);
    }
    return narrow(at);
  }

  void grow_saved(std::size_t size) {
    // This transition has to be saved whatever the limit; there will be none after it.
    const bool fits = bytes() + size * 2 <= options_.max_bytes;
    if (!fits) result.limit = Limit::memory;
    saved_.reserve(fits ? size * 2 : size);
    saved_.resize(saved_.capacity());
  }

  /// Undoes the transition that the frame's current choice made.
  void take_back(const Frame& frame) {
    arena.undo_to(frame.undo_mark);
    arena.shared_hash = frame.shared_hash;
    if (machine_.is_thread(frame.agent)) {
      Machine::load_thread(frame.agent, saved_.data() + frame.moved_at);
    }
    machine_.set_threads_hash(frame.threads_hash);
  }

  void audit_arrival() {
    muted = true;
    audit_.arrive(machine_, [this] { return path(); });
    muted = false;
  }

  static std::uint32_t narrow(std::size_t size) {
    FUTEXMC_ASSERT(size <= ~0U, "the search stack has outgrown its indices");
    return static_cast<std::uint32_t>(size);
  }

  Visited visited_;
  Audit audit_;
  std::vector<Frame> frames_;
  std::vector<Child> children_;
  std::vector<Footprint> footprints_;
  std::vector<char> saved_;
  std::size_t saved_end_ = 0;
  bool standing_ = false;  ///< the arena holds the state after the innermost frame's current choice
};

}  // namespace

Result depth_first(Program& program, const Options& options) {
  Machine machine(program);
  Options used = options;
  if (!used.stateful) used.sleep_sets = used.audit = false;
  if (!program.reduces()) used.movers = used.sleep_sets = false;
  std::string reduction_off;
  {
    DepthFirst search(machine, used);
    search.run();
    if (search.result.reduction_off.empty()) return search.result;
    reduction_off = search.result.reduction_off;
  }
  used.movers = false;
  DepthFirst search(machine, used);
  search.run();
  search.result.reduction_off = reduction_off;
  return search.result;
}

}  // namespace futexmc::checker
