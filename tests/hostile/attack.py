#!/usr/bin/env python3
"""Attacks on the commands from outside: signals at random times, full disks, short memory, inputs that
change while they are read. Each run has to end as if nothing had happened, or with one message and
nothing left; what does neither is a fault. Usage: attack.py [--runs N] [--seed N] [ATTACK...]"""

import argparse
import collections
import os
import pathlib
import pty
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "report"))
import profiles  # noqa: E402
from memory_test import HEADER, TYPES, code, module, name_section, section, sized, vector  # noqa: E402

BUILD = pathlib.Path(os.environ.get("WI_BUILD", "build")).resolve()
HANGS_AFTER_SECONDS = 60
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL]
BAIT = ["pipe", "endless", "secret"]  # files that modules name
# Pieces of names: what moves the cursor, ends a line, sets a title, turns text around, or is no text.
HOSTILE = [b"\x1b[2J", b"\x1b]0;title\x07", b"\xc2\x9b31m", b"\r", b"\n", b"\t", b"\b", b"\x7f", "\u202e".encode(),
           "\u2066".encode(), "\ufeff".encode(), b"\xff\xfe", b"\xed\xa0\x80", b"_ZN", b"%n%s", b"'\";$(id)`", b"x" * 5000]
UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
FUNCTION_EXPORT = section(7, vector([sized(b"_start") + b"\0\0"]))


def wide_module():
    """Large enough that reading and writing it take a while."""
    return module([code(b"\x41\0\x1a" * 300_000)] * 30)


def busy_program():
    """A WASI command that counts to some millions, calling a function each time."""
    count = b"\x03\x40\x10\1\x20\0\x41\1\x6a\x22\0\x41\x80\x89\x7a\x48\x0d\0\x0b"
    bodies = [b"\1\1\x7f" + count + b"\x0b", code(b"\1")]
    memory = section(5, b"\1\0\1") + section(7, vector([sized(b"_start") + b"\0\0", sized(b"memory") + b"\2\0"]))
    return (HEADER + TYPES + section(3, b"\2\0\0") + memory + section(10, vector([sized(b) for b in bodies])))


def named_program(chance):
    """A command whose functions, exports and module have hostile names."""
    def text():
        return b"f" + b"".join(chance.choices(HOSTILE, k=chance.randrange(1, 4)))
    exports = [sized(b"_start") + b"\0\0", sized(text()) + b"\0\1", sized(b"memory") + b"\2\0"]
    names = name_section([(0, text()), (1, text())])
    return (HEADER + TYPES + section(3, b"\2\0\0") + section(5, b"\1\0\1") + section(7, vector(exports))
            + section(10, vector([sized(code(b"\x10\1")), sized(code(b"\1"))])) + names)


def read_terminal(words, folder, environment):
    """Runs a command whose streams are a terminal: status, and what it wrote."""
    ours, terminal = pty.openpty()
    child = subprocess.Popen(words, cwd=folder, env={**environment, "TERM": "dumb", "NO_COLOR": "1"},
                             stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal)
    os.close(terminal)
    written = b""
    try:
        while piece := os.read(ours, 65536):
            written += piece
    except OSError:  # nobody has the other end any longer
        pass
    os.close(ours)
    return child.wait(HANGS_AFTER_SECONDS), written.decode(errors="surrogateescape")


class Command:
    """A command line; its output has the same bytes whenever it succeeds."""

    def __init__(self, name, words, source, output, repeatable=True):
        self.name, self.words, self.source, self.output = name, words, source, output
        self.repeatable = repeatable
        self.expected = None
        self.seconds = 0.0


class Attacker:
    def __init__(self, folder, chance):
        self.folder = folder
        self.chance = chance
        self.home = folder / "work"     # inputs and outputs
        self.temporary = folder / "tmp"  # TMPDIR
        self.faults = []
        self.home.mkdir()
        self.temporary.mkdir()
        self.sources = {"wide.wasm": wide_module(), "busy.wasm": busy_program(),
                        "large.wperf": profiles.wide(200_000).encode()}
        instrument, perf = BUILD / "wasm-instrument", BUILD / "wasm-perf"
        self.commands = [
            Command("wasm-instrument", [instrument, "-q", "wide.wasm", "-o", "out"], "wide.wasm", "out"),
            Command("wasm-instrument --embed", [instrument, "-q", "--embed", "wide.wasm", "-o", "out"],
                    "wide.wasm", "out"),
            Command("wasm-perf report", [perf, "report", "large.wperf", "-o", "out.json"], "large.wperf",
                    "out.json"),
            Command("wasm-perf merge", [perf, "merge", "large.wperf", "large.wperf", "-o", "out.wperf"],
                    "large.wperf", "out.wperf"),
            Command("wasm-perf record", [perf, "record", "--clock", "none", "busy.wasm", "-o", "out.wperf"],
                    "busy.wasm", "out.wperf", repeatable=False),
            Command("wasm-perf bench", [perf, "bench", "--save", "--baseline", "out.json", "busy.wasm"], "busy.wasm",
                    "out.json"),
        ]

    def restore(self, command):
        for path in self.home.iterdir():
            path.unlink()
        (self.home / command.source).write_bytes(self.sources[command.source])

    def start(self, command, **options):
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        return subprocess.Popen(command.words, cwd=self.home, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)

    def learn(self):
        """What each command does when it is left alone."""
        for command in self.commands:
            self.restore(command)
            before = time.monotonic()
            child = self.start(command)
            _, errors = child.communicate(timeout=HANGS_AFTER_SECONDS)
            command.seconds = time.monotonic() - before
            if child.returncode != 0:
                sys.exit(f"{command.name} fails by itself: {errors.decode()}")
            command.expected = (self.home / command.output).read_bytes()

    def left_behind(self, command):
        known = {*self.sources, *BAIT, command.output}
        return ([path.name for path in self.home.iterdir() if path.name not in known]
                + [path.name for path in self.temporary.iterdir()])

    def engines(self):
        """Processes that have our folder in their words."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if bytes(self.folder) in path.read_bytes():
                    found.append(int(path.parent.name))
            except OSError:
                pass
        return found

    def fault(self, attack, command, what):
        self.faults.append(f"{attack}, {command.name}: {what}")

    def is_whole(self, command):
        """Whether there is an output, and as it should be."""
        path = self.home / command.output
        if not path.exists():
            return None
        contents = path.read_bytes()
        return contents == command.expected or (not command.repeatable and contents[:8] == profiles.MAGIC)

    def finish(self, attack, command, child, killed=None, may_be_other=False):
        """Waits for it and checks what came of it: 'done', 'refused' or 'killed'."""
        try:
            _, errors = child.communicate(timeout=HANGS_AFTER_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            self.fault(attack, command, "hangs")
            return "hung"
        status, message = child.returncode, errors.decode(errors="replace")
        whole = self.is_whole(command)
        if whole is False and not (may_be_other and status == 0):
            self.fault(attack, command, f"a broken output, status {status}: {message[:200]}")
        ended = killed is not None and status in (-killed, 128 + killed)
        if status < 0 and not ended:
            self.fault(attack, command, f"ended by {signal.Signals(-status).name}: {message[:200]}")
        if status == 0 and whole is None:
            self.fault(attack, command, "success without an output")
        if status > 0 and not ended and not message:
            self.fault(attack, command, f"status {status} without a message")
        if "    at " in message or "Traceback" in message:
            self.fault(attack, command, f"a stack of ours: {message[:300]}")
        self.check_rest(attack, command, killed)
        return "done" if status == 0 else "killed" if ended else "refused"

    def check_rest(self, attack, command, killed):
        left = self.left_behind(command)
        if killed == signal.SIGKILL:  # nobody can clean up after that; but no engine may go on
            for path in [*self.temporary.iterdir()]:
                shutil.rmtree(path)
            deadline = time.monotonic() + 10
            while self.engines() and time.monotonic() < deadline:
                time.sleep(0.05)
            if self.engines():
                self.fault(attack, command, "an engine goes on")
        elif left:
            self.fault(attack, command, f"left behind: {left}")

    # ---- The attacks; each one run, what came of it -------------------------------------------

    def kills(self, command):
        number = self.chance.choice(SIGNALS)
        child = self.start(command)
        time.sleep(self.chance.random() * command.seconds * 1.1)
        child.send_signal(number)
        return self.finish("kills", command, child, killed=number)

    def limits(self, command):
        """A limit on the size of files, which is an error of write like a full disk."""
        size = self.chance.randrange(len(command.expected) * 5 // 4)
        return self.finish("limits", command, self.start(
            command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))))

    def disks(self, command):
        """A disk that is too small, for outputs and temporary files."""
        room = len(self.sources[command.source]) + 65536 + self.chance.randrange(len(command.expected) * 2)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}", "tmpfs", self.home],
                                 stderr=subprocess.DEVNULL)
        if mounted.returncode != 0:
            return "skipped"
        try:
            self.restore(command)
            return self.finish("disks", command, self.start(command))
        finally:
            subprocess.run(["umount", self.home], check=True)

    def memory(self, command):
        size = 12 * 2**20 + self.chance.randrange(256 * 2**20)
        if command.source == "busy.wasm":  # an engine reserves more than there is
            size += 2**40 // 64
        return self.finish("memory", command, self.start(
            command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))))

    def changes(self, command):
        """The input is truncated, grows or is overwritten while it is read."""
        path = self.home / command.source
        child = self.start(command)
        time.sleep(self.chance.random() * command.seconds * 0.7)
        size = len(self.sources[command.source])
        with open(path, "r+b") as stream:
            how = self.chance.randrange(3)
            if how == 0:
                stream.truncate(self.chance.randrange(size))
            else:
                stream.seek(self.chance.randrange(size) if how == 1 else size)
                stream.write(bytes(self.chance.randrange(1, 5000)))
        # What was read before may be taken as it was, or as it is now.
        return self.finish("changes", command, child, may_be_other=True)


    def leads(self, command):
        """The module names a file that is none of its own: nothing may hang, grow or be copied."""
        if not command.source.endswith(".wasm"):
            return "skipped"
        os.mkfifo(self.home / "pipe")
        (self.home / "endless").symlink_to("/dev/zero")
        (self.home / "secret").write_text('{"password": "1234"}')
        name = self.chance.choice(["pipe", "endless", "secret", "../work/secret", "/dev/zero", "..", ""])
        section_name = self.chance.choice([b"sourceMappingURL", b"external_debug_info"])
        with open(self.home / command.source, "ab") as stream:
            stream.write(section(0, sized(section_name) + sized(name.encode())))
        return self.finish("leads", command, self.start(
            command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (20, 20))), may_be_other=True)

    def names(self, command):
        """Names that do something to a terminal: none of that may reach one."""
        if command.source != "busy.wasm":
            return "skipped"
        module = b"m" + b"".join(self.chance.choices([piece for piece in HOSTILE if len(piece) < 100], k=2)) + b".wasm"
        (self.home / os.fsdecode(module)).write_bytes(named_program(self.chance))
        perf, instrument = BUILD / "wasm-perf", BUILD / "wasm-instrument"
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        shows = [[perf, show, "out.wperf"] for show in ("top", "tree", "callers", "callees", "explain", "functions")]
        for words in [
                [instrument, "--only", module, "--only", "f*", "--embed", "-v", module, "-o", "named.wasm"],
                [instrument, "named.wasm", "-o", "again.wasm"], [instrument, module + b"/", "-o", "again.wasm"],
                [perf, "record", "--clock", "none", module, "-o", "out.wperf"], *shows,
                [perf, "report", "--format", "folded", "out.wperf"], [perf, "diff", "out.wperf", "out.wperf"],
                [perf, "callers", "out.wperf", module], [perf, "annotate", "out.wperf", "f*"], [perf, "top", module]]:
            status, text = read_terminal(words, self.home, environment)
            found = UNSAFE.search(re.sub("\r+\n", "\n", text))
            if found or "\r" in re.sub("\r+\n", "\n", text):
                self.fault("names", command, f"{words[:2]} writes {text[max(0, found.start() - 40) if found else 0:][:80]!r}")
            if status < 0:
                self.fault("names", command, f"{words[:2]} is ended by {signal.Signals(-status).name}")
        return "done"

    def twice(self, command):
        """Ctrl-C, and soon once more: then everything ends at once, the program too."""
        child = self.start(command, start_new_session=True)
        time.sleep(self.chance.random() * command.seconds * 1.1)
        try:
            os.killpg(child.pid, signal.SIGINT)
            time.sleep(self.chance.random() * 0.2)
            os.killpg(child.pid, signal.SIGINT)
        except ProcessLookupError:
            pass
        before = time.monotonic()
        result = self.finish("twice", command, child, killed=signal.SIGINT)
        deadline = time.monotonic() + 5
        while self.engines() and time.monotonic() < deadline:
            time.sleep(0.05)
        if time.monotonic() - before > 30:  # where it waited for the program, which takes no signal, that is a minute
            self.fault("twice", command, "goes on after the second signal")
        return result

    def clients(self, command):
        """A server whose clients come, send some bytes and go, or stay: it still answers, and ends."""
        if command.name != "wasm-perf record":
            return "skipped"
        words = [*command.words[:2], "--listen", "0", *command.words[2:]]
        child = subprocess.Popen(words, cwd=self.home, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(self.temporary)})
        found = re.search(rb"http://127\.0\.0\.1:(\d+)/", child.stderr.readline())
        port = int(found.group(1)) if found else 0
        sockets = []
        for _ in range(60 if port else 0):
            try:
                client = socket.create_connection(("127.0.0.1", port), timeout=5)
                client.sendall(self.chance.choice([b"", b"G", b"GET /debug/pprof/profile?seconds=3000 HTTP/1.1\r\n"
                                                   b"Host: 127.0.0.1\r\n\r\n", bytes(100)]))
                if self.chance.random() < 0.5:
                    client.close()
                else:
                    sockets.append(client)
            except OSError:  # the program has ended
                break
        result = self.finish("clients", command, child)
        for client in sockets:
            client.close()
        return result


ATTACKS = {
    "kills": "a signal at a random time",
    "limits": "a limit on the size of files",
    "disks": "a disk that is too small",
    "memory": "a limit on memory",
    "changes": "an input that changes",
    "leads": "a module that names other files",
    "names": "names that do something to a terminal",
    "twice": "SIGINT, and soon once more",
    "clients": "clients of --listen that go or say nothing",
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=100, help="of each attack")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("attacks", nargs="*", choices=[*ATTACKS, []])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        attacker = Attacker(pathlib.Path(name), random.Random(arguments.seed))
        attacker.learn()
        print("| attack | runs | done | refused | killed | faults |\n|---|--:|--:|--:|--:|--:|", flush=True)
        for attack in arguments.attacks or ATTACKS:
            known = len(attacker.faults)
            ends = collections.Counter()
            for i in range(arguments.runs):
                command = attacker.commands[i % len(attacker.commands)]
                attacker.restore(command)
                ends[getattr(attacker, attack)(command)] += 1
            runs = arguments.runs - ends["skipped"]
            print(f"| {ATTACKS[attack]} | {runs} | {ends['done']} | {ends['refused']} | {ends['killed']} "
                  f"| {len(attacker.faults) - known} |", flush=True)
        for fault in attacker.faults:
            print(f"fault: {fault}", file=sys.stderr)
    return 1 if attacker.faults else 0


if __name__ == "__main__":
    sys.exit(main())
