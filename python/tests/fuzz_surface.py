"""Fuzzing of the whole Python surface, from seeds: nothing but exceptions with a sentence comes out, and the process survives.

The examples of all docstrings, and the programs below, are run with arguments changed: numbers, texts, arrays of every layout,
functions that return nonsense, raise or call back in, objects that pretend. What a program has made is then poked: every
member with such arguments, after close(), from other threads, in a child of fork(), pickled and copied. Each worker is a process;
one that dies, hangs, or lets another exception through is a finding, and prints the seed that repeats it:

    fuzz_surface.py [--workers N] [--programs N] [--seed N] [--preload LIBRARY]   # LIBRARY: the runtime of a sanitizer
"""
import argparse
import ast
import copy
import doctest
import faulthandler
import gc
import importlib
import inspect
import os
import pathlib
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings

import numpy as np

PROGRAMS = ['''
import thud
pile = thud.Bodies(planar=True)
pile.material("stone", friction=0.5, restitution=0.2)
pile.add_ground(material="stone")
pile.add_box([1, 1], name="box", material="stone", position=[0, 0.5], density=1, force=lambda t, state: [t, 0])
pile.add_disc(0.3, name="cam", path=lambda t: ([2, 1], t, [0, 0], 1), material="stone")
run = pile.run(end=0.02, step=0.01)
run.contacts(), run.bodies["box"].position, run.verify(), run.snapshot(), run.to_pandas(), run.save("a.h5"), thud.open("a.h5")
''', '''
import numpy as np, scipy.sparse, thud
M, H = scipy.sparse.identity(4, format="csr"), scipy.sparse.csc_matrix(np.eye(4))
problem = thud.ContactProblem(M=M, H=H, f=np.array([-1.0, 0.5, -2.0, 0.25]), mu=np.array([0.5, 0.3]))
answer = thud.solve(problem, method="auto", tolerance=1e-9)
problem.evaluate(answer.r), problem.to_local(), problem.write("p.yaml"), thud.ContactProblem.read("p.yaml")
later = problem.replace(f=np.array([-1.0, 0, 0, 0]))
thud.solve(later, start=answer), thud.solve(later, closest=np.zeros(4)).unique, answer.intervals, thud.compare({"p": problem}, runs=1)
''', '''
import thud
scene = {"thud": 1, "parameters": {"e": 0.5}, "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -9.81},
         "constraints": [{"name": "floor", "gap": "z", "restitution": "e"}]}, "initial": {"z": 1, "z'": 0},
         "simulate": {"method": "event-driven", "end": 1}}
run = thud.run(scene, {"simulate.end": 0.9}, e=0.25, at=[0.1, 0.2], progress=lambda t, start, end: False)
run(0.5), run(0.5, side="-"), run["z"], run["z'"], run.events[0], run.events.of("impact"), run.ledger, run.frames["t"]
run.plot("z", phase=("z", "z'")), run.report("a.html"), run.save("b.h5"), run.film(frames=2)
thud.study(scene, levels=(3, 5)), thud.sweep(scene, "e", (0, 1, 3), "z"), thud.check(scene)
''', '''
import thud
system = thud.System(["z"], kinetic_energy="z'^2/2", forces={"z": lambda t, q, v: -9.81},
                     constraints=[{"name": "floor", "gap": lambda t, q, v: q[0], "restitution": 0.5}],
                     initial={"z": 1, "z'": 0}, simulate={"method": "moreau-jean", "end": 0.1, "step": 0.01})
run = system.run()
motion = system.motion()
motion.step(), motion.frame, motion.t, motion.save(), motion.restore(motion.save()), copy.copy(motion), motion.run(until=0.05), motion.finish()
''']

ALLOWED = (TypeError, ValueError, OSError, LookupError, ArithmeticError, MemoryError, NotImplementedError, RecursionError, Warning,
           BufferError, KeyboardInterrupt, ImportError, EOFError, pickle.PickleError, StopIteration)
WORDS = ("", "x", "z'", "é", "a\0b", "\ud800", "[", "1e999", "nan", "t +", "../x", "/", "/dev/null", "/proc/self/mem", "a" * 5000, "end",
         "event-driven", "moreau-jean", "frames", "-", "+", "auto", "lemke", "svg", "%s%n", "{}", "x\n- y")
NUMBERS = (0, -1, 1, 2, 3, 17, 2**31, 2**32 + 1, 2**63, -2**63, 10**30, 0.0, -0.0, 0.5, 1e-300, 1e300, float("nan"), float("inf"),
           -float("inf"), True, 1j, np.float32(2), np.int8(-3), np.uint64(2**63), np.bool_(True), np.longdouble(1) / 3)


class UserError(Exception):
    """What a user's own code raises: it comes out as it is."""


class Pretender:
    """Answers to every protocol, badly."""
    __array__ = __float__ = __index__ = __len__ = __iter__ = __fspath__ = __call__ = lambda self, *_, **__: fail()
    __bool__ = __getitem__ = keys = __array__


def fail(*_, **__):
    raise UserError("on purpose")


class Fuzzer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rate = 0.05
        self.things = []  # of the module, made so far
        self.depth = 0

    def nonsense(self):
        """Any value."""
        choose = self.random.choice
        kind = self.random.randrange(12)
        if kind == 0:
            return choose(WORDS)
        if kind == 1:
            return choose(NUMBERS)
        if kind == 2:
            return choose((None, object(), Pretender(), b"x", bytearray(9), slice(None), Ellipsis, range(3), {1, 2}, type, memoryview(b"abcdefgh")))
        if kind == 3:
            return [self.nonsense() for _ in range(self.random.randrange(4))]
        if kind == 4:
            return {choose((*WORDS, 1, None, (1, 2))): self.nonsense() for _ in range(self.random.randrange(4))}
        if kind == 5:
            endless = [1.0]
            endless.append(endless)
            return choose((endless, {"a": endless}, (x for x in (1, 2)), iter([0.0])))
        if kind == 6 and self.things:
            return choose(self.things)
        if kind == 7:
            return self.function()
        if kind == 8:
            return self.sparse()
        return self.array(np.arange(self.random.randrange(9), dtype=float))

    def array(self, values):
        """These numbers in another layout, shape or type."""
        try:
            a = np.array(values, dtype=float)
        except (TypeError, ValueError):
            a = np.arange(3.0)
        n = a.size
        made = self.random.choice((
            lambda: a.astype(">f8"), lambda: a.astype("f4"), lambda: a.astype("i1", casting="unsafe"), lambda: a.astype(complex),
            lambda: a.astype(object), lambda: a.astype("U8"), lambda: a.astype(bool), lambda: np.asfortranarray(a),
            lambda: np.repeat(a, 2, axis=-1)[..., ::2] if a.ndim else a, lambda: a[::-1] if a.ndim else a, lambda: a.T, lambda: a[None],
            lambda: a.reshape(-1), lambda: a.reshape(-1)[:n // 2], lambda: np.append(a, 1.0), lambda: a * np.nan, lambda: a * 1e308 * 10,
            lambda: -a, lambda: a * 0, lambda: np.broadcast_to(1.5, (n, n)), lambda: np.zeros((n, 0)), lambda: np.zeros((2, 2, 2, 2)),
            lambda: np.ma.masked_array(a, a > 0), lambda: np.frombuffer(bytes(8 * n + 1), offset=1, count=n) if n else a,
            lambda: np.zeros(n, [("x", "f8"), ("y", "i4")]), lambda: np.array(["2000-01-01"], "M8[D]"), lambda: np.matrix(a.reshape(-1))))
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            b = made()
        if self.random.random() < 0.2 and isinstance(b, np.ndarray):
            b = b.view()
            b.flags.writeable = False
        return b

    def sparse(self):
        """A matrix whose indices may point anywhere."""
        try:
            import scipy.sparse
        except ImportError:
            return np.eye(2)
        n = self.random.randrange(1, 5)
        made = getattr(scipy.sparse, self.random.choice(("csr_matrix", "csc_matrix", "coo_matrix", "dia_matrix", "bsr_matrix")))(np.eye(n))
        if hasattr(made, "indices") and self.random.random() < 0.5:
            made.indices[self.random.randrange(len(made.indices))] = self.random.choice((-1, n, 2**31 - 1))
        if hasattr(made, "indptr") and self.random.random() < 0.3:
            made.indptr[self.random.randrange(len(made.indptr))] = self.random.choice((-1, 9, 2**31 - 1))
        return made

    def function(self):
        """A callback that returns nonsense, raises, or comes back in."""
        def back(*_):
            if self.depth < 3 and self.things:
                self.depth += 1
                try:
                    self.poke(self.random.choice(self.things))
                finally:
                    self.depth -= 1
            return 0.0
        return self.random.choice((fail, back, lambda *_: self.nonsense(), lambda: 0.0, lambda *_: [0.0, 0.0], lambda *_: float("nan"),
                                   lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)))

    def change(self, value):
        """Mostly the value; sometimes one near to it or far from it."""
        self.keep(value)
        if self.random.random() >= self.rate:
            return value
        if self.random.random() < 0.4:
            return self.nonsense()
        if isinstance(value, (bool, int, float)):
            return self.random.choice((*NUMBERS, -value, value + 1, str(value), [value], float(value) * 1e-9))
        if isinstance(value, str):
            k = self.random.randrange(len(value) + 1)
            return self.random.choice((value[:k], value[k:] + value[:k], value[:k] + self.random.choice(WORDS) + value[k:], value.upper(), value.encode(
                "utf-8", "replace"), [value], value.split()))
        if isinstance(value, dict):
            changed = dict(value)
            for key in self.random.sample(sorted(changed, key=str), min(len(changed), 1)):
                kept = changed.pop(key)
                if self.random.random() < 0.6:
                    changed[key if self.random.random() < 0.7 else self.random.choice(WORDS)] = self.change(kept) if self.random.random() < 0.3 else self.nonsense()
            return changed
        if callable(value):
            return self.function()
        return self.array(value)

    # ---- programs ----

    def keep(self, value):
        if type(value).__module__.split(".")[0] == "thud" and not isinstance(value, BaseException):
            self.things.append(value)
            del self.things[:-40]
        return value

    def instrumented(self, source):
        """The program with every argument, element and result handed through change() and keep()."""
        class Hand(ast.NodeTransformer):
            def handed(self, node, by="_change"):
                return ast.copy_location(ast.Call(ast.Name(by, ast.Load()), [node], []), node)

            def generic_visit(self, node):
                super().generic_visit(node)
                if isinstance(node, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Lambda)) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                    return self.handed(node)
                return self.handed(node, "_keep") if isinstance(node, ast.Call) else node

            def visit_JoinedStr(self, node):
                return node
        return ast.fix_missing_locations(Hand().visit(ast.parse(source)))

    def run_program(self, source):
        names = {"_change": self.change, "_keep": self.keep, "copy": copy, "__name__": "fuzz"}
        for statement in self.instrumented(source).body:
            self.guarded(lambda: exec(compile(ast.Module([statement], []), "<program>", "exec"), names))

    # ---- objects ----

    def poke(self, thing):
        """One thing done to an object."""
        r = self.random
        members = [name for name in dir(thing) if not name.startswith("_")]
        action = r.randrange(14)
        if action < 7 and members:
            name = r.choice(members)
            member = getattr(thing, name)
            if callable(member):
                self.keep(member(*self.arguments(member)))
        elif action == 7:
            repr(thing), str(thing), bool(thing), thing == self.nonsense(), getattr(thing, "_repr_html_", str)()
            try:
                hash(thing)
            except TypeError:
                pass
        elif action == 8:
            self.keep(pickle.loads(pickle.dumps(thing)))
        elif action == 9:
            self.keep(r.choice((copy.copy, copy.deepcopy))(thing))
        elif action == 10:
            self.keep(thing[self.nonsense()])
        elif action == 11:
            for _, item in zip(range(5), thing):
                self.keep(item)
        elif action == 12 and callable(thing):
            self.keep(thing(*self.arguments(thing)))
        elif members:
            name = r.choice(members)
            try:
                kept = getattr(thing, name)
                setattr(thing, name, self.nonsense())
                setattr(thing, name, kept)
            except AttributeError:  # what cannot be set says so in this way
                pass

    def arguments(self, function):
        try:
            count = len([p for p in inspect.signature(function).parameters.values() if p.default is p.empty])
        except (TypeError, ValueError):
            count = 1
        return [self.nonsense() if self.random.random() < 0.7 else self.random.choice((0, 1, 0.5, "x", [0.0], [0.0, 0.0], np.zeros(3), "a.out"))
                for _ in range(max(0, count + self.random.choice((0, 0, 0, 1, -1))))]

    def in_thread(self, thing):
        thread = threading.Thread(target=self.guarded, args=(lambda: self.poke(thing),))
        thread.start()
        self.guarded(lambda: self.poke(thing))
        thread.join()

    def in_child(self, thing):
        """A child of fork() may not use what its parent has made, and can work anew."""
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            status = 3
            try:
                signal.setitimer(signal.ITIMER_REAL, 0)
                self.guarded(lambda: self.poke(thing))
                import thud
                status = 0 if thud.solve([[1.0]], [-1.0]).r[0] == 1.0 else 4
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status != 0:
            raise AssertionError(f"a child of fork ended with status {status}")

    # ---- judgement ----

    def guarded(self, action):
        try:
            action()
        except UserError:
            pass
        except AssertionError:
            raise
        except BaseException as failure:
            self.judge(failure)

    def judge(self, failure):
        """Exceptions of the module are of the kinds that users expect, and say something. Those of the program itself do not count."""
        import thud
        home = os.path.dirname(thud.__file__)
        inside = [frame.filename.startswith(home) for frame in traceback.extract_tb(failure.__traceback__)]
        if not any(inside):
            return
        if not isinstance(failure, (*ALLOWED, thud.Error)):
            raise AssertionError(f"{type(failure).__name__} came out: {failure}") from failure
        silent = inside[-1] and not str(failure) and not isinstance(failure, (KeyboardInterrupt, StopIteration, MemoryError))
        if silent or isinstance(failure, thud.InternalError):
            raise AssertionError(f"{type(failure).__name__} without a sentence of use: {failure}") from failure


def sources():
    """The examples of every docstring, then the programs above."""
    import thud
    finder, parser, found = doctest.DocTestFinder(exclude_empty=True), doctest.DocTestParser(), []
    for path in sorted(pathlib.Path(thud.__file__).parent.glob("*.py")):
        if path.stem == "_declarations":
            continue
        module = thud if path.stem == "__init__" else importlib.import_module(f"thud.{path.stem}")
        for test in finder.find(module, module.__name__):
            found.append("".join(example.source for example in test.examples))
    return [text for text in found if text] + PROGRAMS


def work(seed, programs):
    """One worker: programs from this seed, each said before it begins."""
    def alarm(*_):
        raise KeyboardInterrupt("the alarm of the fuzzer")
    signal.signal(signal.SIGALRM, alarm)
    warnings.simplefilter("ignore")
    texts = sources()
    for k in range(programs):
        number = seed * 100003 + k
        fuzzer = Fuzzer(number)
        source = fuzzer.random.choice(texts)
        fuzzer.rate = fuzzer.random.choice((0.02, 0.05, 0.15, 0.4))
        print(f"program {k} of seed {seed}, rate {fuzzer.rate}:\n{source}", flush=True)
        faulthandler.dump_traceback_later(300, exit=True)
        signal.setitimer(signal.ITIMER_REAL, 5, 5)
        fuzzer.guarded(lambda: fuzzer.run_program(source))
        for _ in range(fuzzer.random.randrange(12)):
            if fuzzer.things:
                how = fuzzer.random.choice((fuzzer.poke,) * 8 + (fuzzer.in_thread, fuzzer.in_child))
                fuzzer.guarded(lambda: how(fuzzer.random.choice(fuzzer.things)))
        if fuzzer.random.random() < 0.3:
            fuzzer.things.clear()
            fuzzer.guarded(gc.collect)
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()


SIGNS = ("ERROR: AddressSanitizer", "runtime error:", "From cffi callback", "Exception ignored", "Fatal Python error", "Traceback")


def run_worker(seed, programs, preload):
    """None when all is well, else what was said."""
    environment = {**os.environ, "PYTHONFAULTHANDLER": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    if preload:
        environment.update(LD_PRELOAD=preload, UBSAN_OPTIONS="print_stacktrace=1",
                           ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1000:handle_segv=1")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as place:
        with open(os.path.join(place, ".out"), "w+") as out, open(os.path.join(place, ".err"), "w+") as err:
            done = subprocess.run([sys.executable, __file__, "--work", str(seed), "--programs", str(programs)], stdout=out, stderr=err,
                                  env=environment, cwd=place)
            out.seek(0), err.seek(0)
            said, complaint = out.read(), err.read()
    if done.returncode == 0 and not any(sign in complaint for sign in SIGNS):
        return None
    return f"status {done.returncode}\n{complaint[-6000:]}\n{said[-1500:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--programs", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preload", default="")
    parser.add_argument("--work", type=int)
    given = parser.parse_args()
    if given.work is not None:
        work(given.work, given.programs)
        return 0
    failures = 0
    for seed in range(given.seed, given.seed + given.workers):
        finding = run_worker(seed, given.programs, given.preload)
        print(f"{'ok' if finding is None else 'not ok'} - {given.programs} programs of seed {seed}", flush=True)
        if finding is not None:
            failures += 1
            print("\n".join("  " + line for line in finding.splitlines()), flush=True)
    print(f"{given.workers * given.programs} programs, {failures} findings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
