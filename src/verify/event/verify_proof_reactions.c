/* Reactions along a whole arc, by interval arithmetic: r_N >= 0 where a contact lasts, |r_T| <= mu r_N where it sticks.
 *
 * Reactions are polynomials of the record; about the centre of a piece their coefficients are known but for rounding.
 * Pieces are halved until the bounds suffice; a value at a centre that breaks its bound for certain is a failure. */
#include "verify/event/verify_event_proof.h"

enum { MOST_PIECES = 400, MOST_DEPTH = 48 };

/* One of the bounds: what is to be >= -eta. */
typedef struct reaction_bound {
  size_t constraint;
  const verify_law *law; /* NULL: r_N */
  size_t number;         /* of the law */
  double eta;
} reaction_bound;

static verify_series *place_row(verify_event_rows *f, size_t k, const verify_piece *piece, size_t row) {
  verify_proof *proof = f->proof;
  verify_polynomial r = {.c = f->reaction + k * (f->force_degree + 1) * proof->rows + row,
                         .stride = proof->rows,
                         .degree = (int)f->force_degree};
  verify_series *out = &proof->path[proof->slots + f->n + row];
  thud_verify_path_shift(&r, piece, out);
  return out;
}

static verify_interval value_of(const verify_series *path, bool whole) {
  return whole ? thud_verify_path_range(path, false) : thud_verify_path_centre(path);
}

/* mu on the piece, or at its centre. */
static verify_interval friction_of(verify_event_rows *f, size_t number, bool whole) {
  verify_proof *proof = f->proof;
  thud_verify_proof_range(proof, whole);
  thud_verify_enclose(proof->friction, proof->variables);
  return proof->friction->values[verify_output(proof->friction, number)];
}

/* mu r_N + sign r_T with a mu that does not vary: one polynomial, so that what both have in common cancels. */
static verify_interval difference_of(const verify_series *normal, double mu, double sign, const verify_series *slip,
                                     verify_series *out, bool whole) {
  out->last = normal->last > slip->last ? normal->last : slip->last;
  for (int d = 0; d <= out->last; d++) {
    verify_ball n = verify_coefficient(normal, d), t = verify_coefficient(slip, d);
    out->middle[d] = mu * n.middle + sign * t.middle;
    double rounding = 2 * VERIFY_ULP * (fabs(mu * n.middle) + fabs(t.middle));
    out->radius[d] = (fabs(mu) * n.radius + t.radius) * (1 + 4 * VERIFY_ULP) + rounding + VERIFY_TINY;
  }
  return value_of(out, whole);
}

/* mu |r_N| - |r_T|; the series are placed. */
static verify_interval room_of(verify_event_rows *f, const reaction_bound *b, bool whole) {
  verify_proof *proof = f->proof;
  const verify_law *law = b->law;
  const verify_series *rows = proof->path + proof->slots + f->n, *slip = rows + f->m + law->first;
  verify_interval mu = friction_of(f, b->number, whole), size = {0, 0};
  bool one_sided = verify_is_one_sided(f->system->constraints[b->constraint].kind);
  if (law->directions == 1 && one_sided && verify_is_point(mu)) {
    verify_series *spare = proof->wide;
    verify_interval up = difference_of(&rows[b->constraint], mu.low, 1, slip, spare, whole);
    verify_interval down = difference_of(&rows[b->constraint], mu.low, -1, slip, spare, whole);
    return (verify_interval){verify_least(up.low, down.low), verify_least(up.high, down.high)};
  }
  for (size_t d = 0; d < law->directions; d++)
    size = thud_verify_interval_add(size, thud_verify_interval_square(value_of(&slip[d], whole)));
  verify_interval normal = value_of(&rows[b->constraint], whole);
  if (!one_sided) normal = thud_verify_interval_abs(normal);
  return thud_verify_interval_subtract(thud_verify_interval_multiply(mu, normal), thud_verify_interval_sqrt(size));
}

static verify_finding prove_piece(verify_event_rows *f, size_t k, const reaction_bound *b, const verify_piece *piece,
                                  verify_broken *broken) {
  verify_series *normal = place_row(f, k, piece, b->constraint);
  verify_interval all, centre;
  if (b->law == NULL) {
    all = value_of(normal, true);
    centre = value_of(normal, false);
  } else {
    thud_verify_proof_place(f, k, piece, false);
    for (size_t d = 0; d < b->law->directions; d++) place_row(f, k, piece, f->m + b->law->first + d);
    all = room_of(f, b, true);
    centre = room_of(f, b, false);
  }
  if (all.low >= -b->eta) return VERIFY_HOLDS;
  *broken = (verify_broken){.index = b->constraint, .value = centre.high, .t = piece->time};
  return centre.high < -b->eta ? VERIFY_BROKEN : VERIFY_OPEN;
}

/* The whole arc in halves, left to right, within the work limit. */
static verify_finding prove_bound(verify_event_rows *f, size_t k, const reaction_bound *b, verify_broken *broken) {
  double ends[MOST_DEPTH + 1], from = 0;
  int depth = 0;
  ends[0] = f->t_end[k] - f->t[k];
  for (int work = 0; work < MOST_PIECES; work++) {
    verify_piece piece = thud_verify_piece(f->t[k], from, ends[depth]);
    verify_finding finding = prove_piece(f, k, b, &piece, broken);
    if (finding == VERIFY_BROKEN) return finding;
    if (finding == VERIFY_HOLDS) {
      from = ends[depth];
      if (depth-- == 0) return VERIFY_HOLDS;
      continue;
    }
    double middle = from + (ends[depth] - from) / 2;
    if (depth == MOST_DEPTH || !(middle > from && middle < ends[depth])) return VERIFY_OPEN;
    ends[++depth] = middle;
  }
  return VERIFY_OPEN;
}

static void note(verify_event_rows *f, size_t k, verify_finding finding) {
  verify_proof *proof = f->proof;
  proof->enclosed += finding == VERIFY_HOLDS;
  if (finding == VERIFY_OPEN && proof->at_points++ == 0) proof->at_points_time = f->t[k];
}

bool thud_verify_proof_normal(verify_event_rows *f, size_t k, size_t i, double eta) {
  if (f->proof == NULL) return false;
  verify_broken broken = {.t = f->t[k]};
  const reaction_bound bound = {.constraint = i, .eta = eta};
  verify_finding finding = prove_bound(f, k, &bound, &broken);
  note(f, k, finding);
  if (finding == VERIFY_BROKEN)
    thud_verify_fail(&f->checks.law, broken.t, k, "the reaction of '%s' is %.6g on the arc from t = %.10g to %.10g",
                     f->system->constraints[i].name, broken.value, f->t[k], f->t_end[k]);
  return finding == VERIFY_HOLDS;
}

void thud_verify_proof_sticking(verify_event_rows *f, size_t k, size_t l, double eta) {
  const verify_law *law = &f->system->laws[l];
  if (f->proof == NULL || law->unknown) return;
  verify_broken broken = {.t = f->t[k]};
  const reaction_bound bound = {.constraint = law->constraint, .law = law, .number = l, .eta = eta};
  verify_finding finding = law->disc ? prove_bound(f, k, &bound, &broken) : VERIFY_OPEN;
  note(f, k, finding);
  if (finding == VERIFY_BROKEN)
    thud_verify_fail(&f->checks.friction, broken.t, k,
                     "the force of '%s', which sticks, is more than friction allows by %.6g on the arc from t = %.10g "
                     "to %.10g",
                     law->name, -broken.value, f->t[k], f->t_end[k]);
}
