// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/pool.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cli/failure.hpp"

namespace futexmc::cli {
namespace {

using Work = std::function<void(std::size_t, const Send&)>;
using Clock = std::chrono::steady_clock;

constexpr int kPollMilliseconds = 100;
constexpr std::chrono::seconds kGrace{2};

struct Child {
  std::size_t task;
  pid_t pid;
  int fd;
  std::string pending;  ///< the beginning of a line
};

void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t wrote = write(fd, text.data() + at, text.size() - at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) _exit(exit_code::kInternal);  // nobody listens any more
    at += static_cast<std::size_t>(wrote);
  }
}

/// From a terminal Ctrl-C reaches the child twice, directly and through the parent. The second one
/// must not end it before it has reported.
void keep_interrupt_handler() {
  struct sigaction action {};
  sigaction(SIGINT, nullptr, &action);
  action.sa_flags &= ~static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

[[noreturn]] void run_child(std::size_t task, const Work& work, int fd, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(exit_code::kInternal);
  keep_interrupt_handler();
  try {
    work(task, [fd](const std::string& line) { write_all(fd, line + "\n"); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "futexmc: internal error: %s\n", error.what());
    std::fflush(stderr);
    _exit(exit_code::kInternal);
  }
  _exit(0);
}

/// Waits for the child. How it ended, if not well.
std::string reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return fmt::format("killed by signal {}", WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  return code == 0 ? std::string() : fmt::format("ended with code {}", code);
}

class Forking {
 public:
  Forking(std::size_t count, const Work& work, const Pool& pool)
      : count_(count), work_(work), pool_(pool) {}
  Forking(const Forking&) = delete;
  Forking& operator=(const Forking&) = delete;
  ~Forking() {  // children are left only if a callback threw
    for (const Child& child : children_) {
      kill(child.pid, SIGKILL);
      reap(child.pid);
      close(child.fd);
    }
  }

  void run() {
    while (true) {
      while (!stopping() && next_ < count_ && children_.size() < pool_.jobs) start(next_++);
      if (children_.empty()) return;
      wait_for_lines();
      if (pool_.idle) pool_.idle();
      if (stopping()) stop();
    }
  }

 private:
  bool stopping() const { return pool_.interrupt != nullptr && pool_.interrupt->load(); }

  void start(std::size_t task) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw Failure(exit_code::kInternal, fmt::format("no pipe: {}", std::strerror(errno)));
    }
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
      close(ends[0]);
      run_child(task, work_, ends[1], parent);
    }
    close(ends[1]);
    if (pid < 0) {
      close(ends[0]);
      throw Failure(exit_code::kInternal, fmt::format("no process: {}", std::strerror(errno)));
    }
    children_.push_back({task, pid, ends[0], {}});
  }

  void wait_for_lines() {
    std::vector<pollfd> fds;
    for (const Child& child : children_) fds.push_back({child.fd, POLLIN, 0});
    if (poll(fds.data(), fds.size(), kPollMilliseconds) <= 0) return;
    // From the end, since a child that has ended is erased.
    for (std::size_t i = fds.size(); i-- > 0;) {
      if (fds[i].revents != 0) read_from(i);
    }
  }

  void read_from(std::size_t index) {
    char buffer[1 << 16];
    const ssize_t got = read(children_[index].fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
      finish(index);
      return;
    }
    children_[index].pending.append(buffer, static_cast<std::size_t>(got));
    std::string& pending = children_[index].pending;
    const std::size_t task = children_[index].task;
    std::size_t from = 0;
    for (std::size_t to = 0; (to = pending.find('\n', from)) != std::string::npos; from = to + 1) {
      pool_.line(task, pending.substr(from, to - from));
    }
    pending.erase(0, from);
  }

  void finish(std::size_t index) {
    const Child child = std::move(children_[index]);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(index));
    close(child.fd);
    const std::string crash = reap(child.pid);
    // One that was told to stop may end as it likes.
    if (crash.empty() || !stopping()) pool_.ended(child.task, crash);
  }

  void stop() {
    if (!told_) {
      told_ = true;
      deadline_ = Clock::now() + kGrace;
      for (const Child& child : children_) kill(child.pid, SIGINT);
    } else if (Clock::now() > deadline_) {
      for (const Child& child : children_) kill(child.pid, SIGKILL);
    }
  }

  std::size_t count_;
  const Work& work_;
  const Pool& pool_;
  std::size_t next_ = 0;
  std::vector<Child> children_;
  bool told_ = false;
  Clock::time_point deadline_;
};

}  // namespace

void run_pool(std::size_t count, const Work& work, const Pool& pool) {
  if (!pool.in_process) {
    Forking(count, work, pool).run();
    return;
  }
  for (std::size_t task = 0; task < count; ++task) {
    if (pool.interrupt != nullptr && pool.interrupt->load()) return;
    work(task, [&](const std::string& line) { pool.line(task, line); });
    pool.ended(task, "");
  }
}

std::size_t processors() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace futexmc::cli
