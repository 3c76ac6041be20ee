// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/compare/sentences.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace futexmc::properties {
namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Words without(const Words& from, const Words& what) {
  Words rest;
  for (const std::string& word : from) {
    if (!has(what, word)) rest.push_back(word);
  }
  return rest;
}

/// The groups of roles that an account touches, in order.
Words groups(const Account& account) {
  Words all;
  for (const Entry& entry : account.entries) {
    if (!has(all, entry.role.group)) all.push_back(entry.role.group);
  }
  return all;
}

/// A kind of access: how its verb goes.
struct Verb {
  const char* one;   ///< "reads"
  const char* many;  ///< "read"
  const char* noun;  ///< "read of"
};
constexpr Verb kReads{"reads", "read", "read"};
constexpr Verb kWrites{"writes", "write", "write"};

const char* agree(const Words& subject, const Verb& verb) {
  return subject.size() == 1 ? verb.one : verb.many;
}

std::string times(std::size_t count) {
  return count == 1 ? "once" : count == 2 ? "twice" : fmt::format("{} times", count);
}

/// How the accesses of one kind to one role differ; empty if they do not.
std::string change(const Role& role, const Uses& before, const Uses& after, const Verb& verb) {
  const Words gone = without(before.phases, after.phases);
  const Words fresh = without(after.phases, before.phases);
  if (gone.empty() && fresh.empty()) {
    if (before.count == after.count) return "";
    return fmt::format("{} {} {} {}, not {}", listed(after.phases), agree(after.phases, verb),
                       role.phrase, times(after.count), times(before.count));
  }
  if (!gone.empty() && !fresh.empty()) {
    return fmt::format("the {} of {} moved from {} to {}", verb.noun, role.phrase, listed(gone),
                       listed(fresh));
  }
  if (gone.empty()) {
    return fmt::format("{} now {} {}", listed(fresh), agree(fresh, verb), role.phrase);
  }
  std::string text =
      fmt::format("{} no longer {} {}", listed(gone), agree(gone, verb), role.phrase);
  if (!after.phases.empty() && before.phases.front() != after.phases.front()) {
    text += fmt::format(": its first {} moved to {}", verb.noun, after.phases.front());
  }
  return text;
}

void add(Words& texts, std::string text) {
  if (!text.empty()) texts.push_back(std::move(text));
}

/// Those of either account, each once.
std::vector<Role> roles(const Account& before, const Account& after) {
  std::vector<Role> all;
  for (const Entry& entry : before.entries) all.push_back(entry.role);
  for (const Entry& entry : after.entries) {
    if (before.find(entry.role.name) == nullptr) all.push_back(entry.role);
  }
  return all;
}

/// An entry without uses where the account has none.
Entry entry_of(const Account& account, const Role& role) {
  const Entry* const entry = account.find(role.name);
  return entry != nullptr ? *entry : Entry{role, {}, {}, false};
}

bool touched(const Entry& entry) { return entry.reads.count + entry.writes.count != 0; }

}  // namespace

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::vector<std::string> sentences(const Account& before, const Account& after) {
  Words texts;
  const Words gone = without(groups(before), groups(after));
  const Words fresh = without(groups(after), groups(before));
  if (!gone.empty()) add(texts, fmt::format("{} no longer touch {}", before.subject, listed(gone)));
  if (!fresh.empty()) add(texts, fmt::format("{} now touch {}", before.subject, listed(fresh)));

  for (const Role& role : roles(before, after)) {
    // Said of the whole group.
    if (has(gone, role.group) || has(fresh, role.group)) continue;
    const Entry was = entry_of(before, role);
    const Entry is = entry_of(after, role);
    add(texts, change(role, was.reads, is.reads, kReads));
    add(texts, change(role, was.writes, is.writes, kWrites));
    if (touched(was) && touched(is) && was.contended != is.contended) {
      add(texts, fmt::format("{} is {} written by others", role.phrase,
                             is.contended ? "now" : "no longer"));
    }
  }
  return texts;
}

std::vector<Sentence> all_sentences(const std::vector<Account>& before,
                                    const std::vector<Account>& after) {
  std::vector<Sentence> all;
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (const std::string& text : sentences(before[i], after[i])) {
      const auto at = std::find_if(all.begin(), all.end(),
                                   [&](const Sentence& known) { return known.text == text; });
      Sentence& sentence = at != all.end() ? *at : all.emplace_back(Sentence{text, {}});
      // A sentence about the operation as a whole begins with it.
      if (!text.starts_with(before[i].subject)) sentence.subjects.push_back(before[i].subject);
    }
  }
  return all;
}

}  // namespace futexmc::properties
