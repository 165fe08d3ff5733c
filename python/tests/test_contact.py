"""Contact problems: answers judged by formulas of their own in numpy, forms, files, uniqueness, failures."""
import doctest
import glob
import os
import pickle
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import thud
from thud import contact, sets

scipy_sparse = pytest.importorskip("scipy.sparse")
PROBLEMS = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "problems")
FILES = sorted(path for ending in ("yaml", "h5", "dat") for path in glob.glob(os.path.join(PROBLEMS, "*." + ending)))


def natural_map(r, u, mu, d):
    """max |r - proj_K(r - u - mu |u_T| n)| over the contacts, with the projection on Coulomb's cone written out."""
    worst = 0.0
    for k, m in enumerate(mu):
        rk, uk = r[k * d:(k + 1) * d], u[k * d:(k + 1) * d].copy()
        uk[0] += m * np.linalg.norm(uk[1:])
        x = rk - uk
        xn, xt = x[0], np.linalg.norm(x[1:])
        if xt <= m * xn:
            p = x
        elif m * xt <= -xn:
            p = np.zeros(d)
        else:
            n = (xn + m * xt) / (1 + m * m)
            p = np.concatenate([[n], m * n * x[1:] / xt])
        worst = max(worst, np.linalg.norm(rk - p))
    return worst


def random_problem(seed, contacts, d):
    random = np.random.default_rng(seed)
    A = random.normal(size=(contacts * d, contacts * d))
    return A @ A.T + 0.1 * np.eye(contacts * d), random.normal(size=contacts * d), random.uniform(0, 1, contacts)


pytestmark = pytest.mark.filterwarnings("ignore:the matrix is not symmetric", "ignore:the matrix subclass")


@pytest.mark.parametrize("seed", range(12))
def test_answers_satisfy_coulombs_law(seed):
    d = 2 + seed % 2
    W, q, mu = random_problem(seed, 1 + seed, d)
    answer = thud.solve(W, q, mu)
    assert answer.verdict == "solved" and answer.residual <= 1e-8 and answer.require_solved() is answer
    assert np.allclose(answer.u, W @ answer.r + q, atol=1e-9)
    assert natural_map(answer.r, answer.u, mu, d) <= 1e-7 * np.linalg.norm(q)
    judged = answer.problem.evaluate(answer.r)
    assert judged == pytest.approx(answer.residual, abs=1e-14) and np.allclose(judged.u, answer.u)
    assert judged.dissipation == pytest.approx(-answer.r @ answer.u, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_an_lcp_is_complementary(seed):
    random = np.random.default_rng(seed)
    A = random.normal(size=(8, 8))
    W, q = A @ A.T + np.eye(8), random.normal(size=8)
    answer = thud.solve(W, q, tolerance=1e-10)
    assert np.abs(np.minimum(answer.r, W @ answer.r + q)).max() <= 1.1e-10 * np.linalg.norm(q)  # what the tolerance promises
    assert answer.unique is True


def test_the_three_forms_agree():
    random = np.random.default_rng(3)
    bodies, n, d = 3, 3, 2
    inverse = np.array([np.diag(random.uniform(0.5, 2, n)) for _ in range(bodies)])
    Ja, Jb = random.normal(size=(4, d, n)), random.normal(size=(4, d, n))
    a, b = np.array([0, 1, 2, 0]), np.array([-1, 0, 1, 2])
    free, mu = random.normal(size=(bodies, n)), [0.3, 0.5, 0.2, 0.4]
    blocks = thud.ContactProblem(inverse_mass=inverse, free_velocity=free, body_a=a, body_b=b, jacobian_a=Ja, jacobian_b=Jb, mu=mu)
    assert (blocks.form, blocks.dimension, blocks.contacts, blocks.ndof) == ("two-block", 2, 4, 9)
    H = np.zeros((bodies * n, 4 * d))
    for k in range(4):
        H[a[k] * n:(a[k] + 1) * n, k * d:(k + 1) * d] = Ja[k].T
        if b[k] >= 0:
            H[b[k] * n:(b[k] + 1) * n, k * d:(k + 1) * d] += Jb[k].T
    minv = np.zeros((9, 9))
    for k in range(bodies):
        minv[k * n:(k + 1) * n, k * n:(k + 1) * n] = inverse[k]
    W, q = H.T @ minv @ H, H.T @ free.ravel()
    local = blocks.to_local("dense")
    assert np.allclose(local.W, W, atol=1e-12) and np.allclose(local.q, q, atol=1e-12)
    assert np.allclose(blocks.to_local("blocks").W.toarray(), W, atol=1e-12)
    big = blocks.to_global()
    M, Hs = scipy_sparse.csc_matrix(np.linalg.inv(minv)), scipy_sparse.csr_matrix(H)
    mine = thud.ContactProblem(M=M, H=Hs, f=np.linalg.inv(minv) @ free.ravel(), mu=mu)
    answers = [thud.solve(problem, tolerance=1e-10) for problem in (blocks, local, big, mine, mine.to_local("sparse"))]
    answers.append(thud.solve(W, q, np.array(mu), tolerance=1e-10))
    answers.append(thud.solve(scipy_sparse.bsr_matrix(W, blocksize=(2, 2)), q, mu, tolerance=1e-10))
    answers.append(thud.solve(scipy_sparse.coo_matrix(W), q, mu, tolerance=1e-10))
    for answer in answers:
        assert answer.verdict == "solved" and np.allclose(answer.r, answers[0].r, atol=1e-7)
    v = answers[0].v
    assert np.allclose(v, free.ravel() + minv @ H @ answers[0].r, atol=1e-8) and np.allclose(H.T @ v, answers[0].u, atol=1e-8)
    assert mine.H.toarray() == pytest.approx(H) and mine.kind.startswith("2D")


def test_bilateral_rows():
    W, q, mu = random_problem(5, 2, 2)
    random = np.random.default_rng(5)
    V, R = random.normal(size=(4, 1)), np.array([[2.0]])
    full = np.block([[W, V], [V.T, R]]) + 0  # made positive definite by a larger W
    shift = max(0, 1e-3 - np.linalg.eigvalsh(full).min())
    W, R = W + shift * np.eye(4), R + shift
    problem = thud.ContactProblem(W, q, mu, V=V, R=R, s=[0.7])
    answer = thud.solve(problem, tolerance=1e-10)
    assert answer.verdict == "solved" and problem.bilateral == 1
    assert np.allclose(V.T @ answer.r + R @ answer.l + 0.7, 0, atol=1e-8)
    assert np.allclose(answer.u, W @ answer.r + V @ answer.l + q, atol=1e-8)
    assert natural_map(answer.r, answer.u, mu, 2) < 1e-7
    assert problem.evaluate(answer.r, answer.l) <= 1e-8
    with pytest.raises(ValueError, match="bilateral"):
        problem.evaluate(answer.r)


def test_laws_are_sets():
    W, q, _ = random_problem(9, 3, 3)
    discs = thud.solve(W, q, [0.5, 0.5, 0.5], tolerance=1e-9)
    laws = [sets.ball([0, 0], 0.5), None, sets.ellipsoid([0, 0], 4 * np.eye(2))]
    problem = thud.ContactProblem(W, q, [0, 0.5, 0], laws=laws)
    answer = thud.solve(problem, tolerance=1e-9)
    assert answer.verdict == "solved" and np.allclose(answer.r, discs.r, atol=1e-6)
    again = pickle.loads(pickle.dumps(problem))
    assert again.laws == tuple(laws) and thud.solve(again).verdict == "solved"
    only = thud.solve(W, q, laws=[sets.ball([0, 0], 0.5)] * 3)
    assert np.allclose(only.r, discs.r, atol=1e-6)
    with pytest.raises(thud.Error, match="law"):
        thud.ContactProblem(W, q, laws=[sets.ball([0], 1)] * 3)
    with pytest.raises(TypeError):
        thud.ContactProblem(W, q, laws=[1, 2, 3])


@pytest.mark.parametrize("path", FILES, ids=[os.path.basename(path) for path in FILES])
def test_every_file_is_read_and_written_and_answered(path, tmp_path):
    problem = thud.ContactProblem.read(path)
    again = pickle.loads(pickle.dumps(problem))
    target = tmp_path / "again.yaml"
    again.write(target)
    read = thud.ContactProblem.read(target)
    r = np.random.default_rng(1).normal(size=problem.size)
    zeros = np.zeros(problem.bilateral) if problem.bilateral else None
    for other in (again, read):
        assert (other.form, other.dimension, other.contacts, other.title) == (problem.form, problem.dimension, problem.contacts, problem.title)
        judged = other.evaluate(r, zeros)
        assert float(judged) == float(problem.evaluate(r, zeros)) and np.array_equal(judged.u, problem.evaluate(r, zeros).u)
    if problem.solution and "r" in problem.solution:
        assert problem.evaluate(problem.solution["r"], problem.solution.get("l", zeros)) < 1e-6
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = thud.solve(problem, max_seconds=20)
    assert answer.verdict in ("solved", "infeasible") or answer.reason
    if answer.verdict == "solved":
        assert problem.evaluate(answer.r, answer.l) <= 1e-8


def test_answers_are_written_with_their_problem(tmp_path):
    W, q, mu = random_problem(1, 3, 3)
    problem = thud.ContactProblem(W, q, mu, title="three", description="made up")
    answer = thud.solve(problem)
    for name in ("p.h5", "p.yaml"):
        problem.write(tmp_path / name, solution=answer)
        read = thud.ContactProblem.read(tmp_path / name)
        assert np.array_equal(read.solution["r"], answer.r) and read.description == "made up"
        with pytest.raises(thud.FileError, match="exists"):
            problem.write(tmp_path / name)
        problem.write(tmp_path / name, overwrite=True, solution={"r": answer.r.tolist()})
        assert np.array_equal(thud.ContactProblem.read(tmp_path / name).solution["r"], answer.r)
    with pytest.raises(ValueError):
        problem.write(tmp_path / "p.txt")
    with pytest.raises(thud.FileError):
        thud.ContactProblem.read(tmp_path / "none.h5")
    with pytest.raises(thud.Error):
        thud.ContactProblem.read(tmp_path / "p.h5", format="siconos")
    with pytest.raises(thud.Error):
        thud.ContactProblem(W, q, laws=[sets.ball([0, 0], 1)] * 3).write(tmp_path / "laws.h5")


def test_all_solutions_and_proofs_that_there_is_none():
    several = thud.solve(thud.ContactProblem.read(os.path.join(PROBLEMS, "lcp-several.yaml")), all=True)
    assert len(several.solutions) == several.solution_count > 1 and several.unique is False
    W, q = several.problem.W, several.problem.q
    for solution in several.solutions:
        assert np.abs(np.minimum(solution.r, np.asarray(W) @ solution.r + q)).max() < 1e-9
    none = thud.solve([[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0])
    assert none.verdict == "infeasible" and none.certificate.value < 0 and list(none.certificate.contacts) == [0, 1]
    with pytest.raises(thud.NotGood) as failure:
        none.require_solved()
    assert failure.value.run is none and pickle.loads(pickle.dumps(none)).reason == none.reason
    with pytest.raises(thud.UnsupportedError):
        W3, q3, mu3 = random_problem(0, 12, 3)
        thud.solve(W3, q3, mu3, all=True)


def test_intervals_and_closest_forces_of_a_statically_indeterminate_beam():
    # a rigid beam on three supports: N1 + N2 + N3 = 3, N1 = N3
    H = np.array([[1.0, 1, 1], [-1, 0, 1]])
    problem = thud.ContactProblem(M=np.eye(2), H=H, f=[-3, 0])
    answer = thud.solve(problem)
    assert answer.unique is False
    bounds = [(i.low, i.high) for i in answer.intervals]
    assert bounds == [pytest.approx(b, abs=1e-9) for b in ((0, 1.5), (0, 3), (0, 1.5))]
    least = thud.solve(problem, closest=[0, 0, 0])
    assert least.r == pytest.approx([1, 1, 1]) and least.distance == pytest.approx(np.sqrt(3))
    closest = thud.solve(problem, closest=[3, 0, 0])
    assert closest.r == pytest.approx([1.5, 0, 1.5], abs=1e-6) and closest.distance == pytest.approx(np.hypot(1.5, 1.5), abs=1e-6)
    assert closest.residual < 1e-8
    assert thud.solve(problem, closest=True).r == pytest.approx([1, 1, 1], abs=1e-6)
    assert pickle.loads(pickle.dumps(answer)).intervals[1].high == pytest.approx(3)
    with pytest.raises(ValueError):
        answer.interval(3)
    with pytest.raises(ValueError):
        thud.solve(problem, start=[0, 0, 0], closest=[1, 1, 1])


def test_methods_and_options():
    W, q, mu = random_problem(2, 4, 3)
    wanted = thud.solve(W, q, mu, tolerance=1e-10).r
    taken = 0
    for method in thud.methods():
        if {"3d", "local"} <= method.accepts:
            answer = thud.solve(W, q, mu, method=method.name, tolerance=1e-9, max_iterations=100000)
            taken += answer.verdict == "solved"
            assert answer.verdict != "solved" or np.allclose(answer.r, wanted, atol=1e-5)
    assert taken >= 8
    with pytest.raises(thud.NotFoundError, match="did you mean 'lemke'"):
        thud.solve(W, q, mu, method="lemk")
    with pytest.raises(thud.Error):
        thud.solve(W, q, mu, method="lemke-lcp" if "lemke-lcp" in [m.name for m in thud.methods()] else "lemke")
    for wrong in (dict(tolerance=-1), dict(tolerance=float("nan")), dict(max_iterations=-1), dict(no_such=1), dict(forces="all"),
                  dict(start=[1]), dict(start=[float("nan")] * 12), dict(threads=0)):
        with pytest.raises((ValueError, TypeError, thud.Error)):
            thud.solve(W, q, mu, **wrong)
    cut = thud.solve(*random_problem(6, 60, 3), method="gauss-seidel", max_iterations=1)
    assert cut.verdict == "best_effort" and cut.reason and cut.iterations == 1
    assert np.allclose(thud.solve(W, q, mu, threads=2).r, thud.solve(W, q, mu).r)
    warm = thud.solve(W, q, mu, start=thud.solve(W, q, mu))
    assert warm.verdict == "solved"


def test_layouts_of_arrays_do_not_matter():
    W, q, mu = random_problem(7, 3, 2)
    W[0, 3] += 0.05  # not symmetric: rows and columns are not mixed up
    wanted = thud.solve(W, q, mu, tolerance=1e-10).r
    frozen = W.copy()
    frozen.flags.writeable = False
    for given in (np.asfortranarray(W), frozen, W.tolist(), W.astype(">f8"), np.repeat(np.repeat(W, 2, 0), 2, 1)[::2, ::2],
                  scipy_sparse.csr_matrix(W), W[::-1][::-1], scipy_sparse.bsr_matrix(W, blocksize=(2, 2)), np.matrix(W)):
        answer = thud.solve(given, np.repeat(q, 2)[::2], mu.tolist(), tolerance=1e-10)
        assert np.allclose(answer.r, wanted, atol=1e-9) and np.allclose(W @ answer.r + q, answer.u, atol=1e-9)
    one = thud.solve(W.astype(np.float32), q.astype(np.float32), 0.5, dimension=2)
    assert one.verdict == "solved"
    assert thud.solve(np.eye(3), [-1, 1, 0], 0.5).problem.dimension == 3
    assert thud.solve(np.eye(2), [-1, 1], 0.5).problem.dimension == 2
    shown = thud.ContactProblem(W, q, mu).W
    assert np.array_equal(shown, W) and not shown.flags.writeable


def test_wrong_problems_are_exceptions_with_a_sentence():
    W, q, mu = random_problem(0, 2, 3)
    I6 = np.eye(6)
    nan = np.full((6, 6), np.nan)
    wrong = [lambda: thud.solve(W), lambda: thud.solve(), lambda: thud.solve(W[:3], q, mu), lambda: thud.solve(W, q[:5], mu),
             lambda: thud.solve(W, q, mu[:1], dimension=3), lambda: thud.solve(nan, q, mu), lambda: thud.solve(W, q * np.inf, mu),
             lambda: thud.solve(W, q, -mu), lambda: thud.solve(W, q, [np.nan, 1]), lambda: thud.solve(W, q, 0.5),
             lambda: thud.solve(W, q, mu, dimension=7), lambda: thud.solve(W, q, [0.1] * 4), lambda: thud.solve(W, q, mu, M=W),
             lambda: thud.solve(W, q, mu, R=np.eye(6)), lambda: thud.solve(W, q, mu, V=np.ones((6, 1)), R=np.eye(2)),
             lambda: thud.solve("W", q, mu), lambda: thud.solve(W, "q", mu), lambda: thud.solve(W, q, "mu"), lambda: thud.solve(W * 1j, q, mu),
             lambda: thud.solve([[1], [1, 2]], [1, 2]), lambda: thud.solve(None, q, mu), lambda: thud.solve(W, q, mu, f=q),
             lambda: thud.solve(scipy_sparse.csc_matrix(nan), q, mu), lambda: thud.solve(scipy_sparse.csc_matrix(I6 * 1j), q, mu),
             lambda: thud.ContactProblem(M=I6, H=I6, f=q[:5], mu=mu), lambda: thud.ContactProblem(M=I6, f=q, mu=mu),
             lambda: thud.ContactProblem(W, q, mu, title=3).write("/tmp/never.yaml"), lambda: thud.ContactProblem(W, q, mu, solution={"r": [1]}),
             lambda: thud.ContactProblem(W, q, mu).solve(), lambda: thud.ContactProblem(W, q, mu).evaluate([1]),
             lambda: thud.ContactProblem(W, q, mu).evaluate(q * np.nan), lambda: thud.ContactProblem(W, q, mu).to_local("big"),
             lambda: thud.ContactProblem(W, q, mu).to_global(), lambda: thud.solve(thud.ContactProblem(W, q, mu), q),
             lambda: thud.ContactProblem(W, q, mu, mu_rolling=[1]), lambda: thud.solve(W, q, mu, W=W)]
    two = dict(inverse_mass=np.eye(3)[None], free_velocity=np.zeros((1, 3)), body_a=[0], body_b=[-1], jacobian_a=np.ones((1, 2, 3)),
               jacobian_b=np.ones((1, 2, 3)), mu=[0.5])
    assert thud.ContactProblem(**two).contacts == 1
    for change in (dict(body_a=[1]), dict(body_a=[0.5]), dict(body_a=[2**40]), dict(body_a=[0, 0]), dict(body_b=[0]), dict(q=[1]),
                   dict(jacobian_b=None), dict(inverse_mass=np.eye(3)), dict(joint_start=[]), dict(joint_start=[0, 5]), dict(w=[0, 0, 0], dimension=3), dict(body_a="a"),
                   dict(joint_start=[0, 10**9], joint_a=[0], joint_b=[-1], joint_jacobian_a=[[1, 2, 3]], joint_jacobian_b=[[1, 2, 3]])):
        wrong.append(lambda change=change: thud.ContactProblem(**{**two, **change}))
    for k, make in enumerate(wrong):
        with pytest.raises((ValueError, TypeError, AttributeError, thud.Error)) as failure:
            make()
        assert str(failure.value), k
    empty = thud.solve(np.zeros((0, 0)), [], [])
    assert empty.verdict == "solved" and empty.r.shape == (0,)


def test_comparisons(tmp_path):
    for name in ("lcp-unique.yaml", "friction-2d.h5"):
        problem = thud.ContactProblem.read(os.path.join(PROBLEMS, name))
        problem.write(tmp_path / name)
    (tmp_path / "bad.yaml").write_text("thud_problem: 7\n")
    with pytest.warns(thud.RunWarning, match="bad.yaml"):
        table = thud.compare(tmp_path, runs=1, tolerance=1e-6)
    assert [name for name, _ in table.unreadable] == ["bad.yaml"] and table.summary["problems"] == 2
    frame = table.to_pandas()
    assert set(frame["problem"]) == {"lcp-unique.yaml", "friction-2d.h5"} and (frame[frame.status == "solved"].residual <= 1e-6).all()
    assert any(row["method"] == "auto" and row["status"] == "solved" for row in table.rows)
    for ending in ("csv", "md", "json", "svg"):
        table.write(tmp_path / f"table.{ending}")
        assert (tmp_path / f"table.{ending}").stat().st_size > 100
    assert "friction-2d.h5" in str(table) and "Comparison" in repr(table)
    W, q, mu = random_problem(1, 2, 3)
    named = thud.compare({"mine": thud.ContactProblem(W, q, mu)}, runs=1, methods=["auto", "gauss-seidel"])
    assert {row["method"] for row in named.rows} == {"auto", "gauss-seidel"}
    for wrong in (3, tmp_path / "nowhere", [1]):
        with pytest.raises((TypeError, thud.Error)), warnings.catch_warnings():
            warnings.simplefilter("error")
            thud.compare(wrong)
    with pytest.raises(thud.NotFoundError):
        thud.compare([thud.ContactProblem(W, q, mu)], methods=["nothing"])


def test_ctrl_c_stops_a_long_solve():
    W, q, mu = random_problem(2, 200, 3)
    W[:] = np.ones_like(W) + 1e-9 * np.eye(len(W))  # hard: sweeps go on
    killer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    killer.start()
    with pytest.raises(KeyboardInterrupt):
        while time.monotonic() - begin < 60:
            thud.solve(W, q, mu, method="gauss-seidel", tolerance=1e-300, max_iterations=2**30)
    killer.join()
    assert thud.solve(*random_problem(2, 2, 3)).verdict == "solved"  # and the next one is as ever


def test_threads_and_forks():
    W, q, mu = random_problem(3, 5, 3)
    problem = thud.ContactProblem(W, q, mu)
    wanted = thud.solve(W, q, mu).r
    found = []
    workers = [threading.Thread(target=lambda: found.extend(thud.solve(problem).r for _ in range(20))) for _ in range(4)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    assert len(found) == 80 and all(np.array_equal(r, wanted) for r in found)
    withlaws = thud.ContactProblem(W, q, laws=[sets.ball([0, 0], 0.5)] * 5)
    child = os.fork()
    if child == 0:
        good = np.array_equal(thud.solve(problem).r, wanted) and thud.solve(withlaws).verdict == "solved"
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_examples():
    assert doctest.testmod(contact).failed == 0


def test_answers_are_printed_for_people():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", thud.RunWarning)
        none = thud.solve([[0.0]], [-1.0])
    assert str(none).startswith("infeasible by auto") and none.reason in str(none) and "\n  0:" not in str(none)
    slides = str(thud.solve(np.eye(3), [-1, 2, 0], 0.5)).splitlines()
    assert slides[0].startswith("solved by") and slides[2] == "  0: [ 1.  -0.5  0. ]; [0.  1.5 0. ]"
    several = str(thud.solve([[1, 2], [2, 1]], [-1, -1], all=True))
    assert [line for line in several.splitlines() if line.startswith("solution")] == [f"solution {k} of 3:" for k in (1, 2, 3)]
    long = thud.solve(np.eye(40), -np.ones(40))
    assert len(str(long).splitlines()) == 12


def test_methods_are_named_in_a_list_or_a_text():
    problem = thud.ContactProblem([[1.0]], [-1.0])
    tables = [thud.compare({"drop": problem}, methods=names, runs=1) for names in ("lemke,newton", ["lemke", "newton"])]
    assert [[row["method"] for row in table.rows] for table in tables] == [["lemke", "newton"]] * 2
    assert tables[0]._repr_markdown_() == str(tables[0]) and "| lemke" in str(tables[0])
    with pytest.raises(thud.NotFoundError, match="lemk'.*did you mean 'lemke'"):
        thud.compare({"drop": problem}, methods="lemk")
