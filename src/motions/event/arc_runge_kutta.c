/* Arcs of systems given by functions in C: one step of the Runge-Kutta pair DOP853, then polynomials. */
#include "motions/event/arc_functions.h"

#include <math.h>
#include <string.h>

/* ---- the arc ------------------------------------------------------------------------------------------------------- */

/* The dense output of the step gives states at the nodes of the interpolation. Two sweeps follow: the accelerations
 * there become a polynomial, which is integrated from the start of the arc (Picard's iteration; each sweep gains an
 * order of the step), so that q, v, a and the reactions are the derivatives of one polynomial. In the second all
 * outputs are taken as well. */

/* a from the samples; v and q as its integrals. */
static void fit_motion(sim_arc *arc, double h) {
  size_t column = arc->jets.layout.count + arc->rows;
  for (size_t i = 0; i < arc->n; i++) thud_arc_fit(arc, h, column + i, 1, arc->a + i, arc->n, NULL);
  thud_arc_integrate(arc);
}

/* Both sweeps. */
static thud_error sweep(sim_arc *arc, double h) {
  struct arc_functions *functions = arc->functions;
  for (size_t k = 0; k < ARC_NODES; k++)
    thud_dop853_at(&functions->method, functions->interpolation.place[k], functions->states + k * 2 * arc->n);
  thud_error error = thud_arc_sample_nodes(arc, h);
  if (error != THUD_OK) return error;
  fit_motion(arc, h);
  error = thud_arc_sample_all(arc, h);
  if (error == THUD_OK) fit_motion(arc, h);
  return error;
}

/* The error of the step by the embedded methods, in units of the tolerance. */
static double embedded_error(const sim_arc *arc, double h, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  size_t n = arc->n;
  double *fifth = functions->estimate, *third = fifth + 2 * n;
  thud_dop853_errors(&functions->method, h, fifth, third);
  double five =
      hypot(thud_arc_beside(thud_arc_norm(arc, fifth), by->q), thud_arc_beside(thud_arc_norm(arc, fifth + n), by->v));
  double three =
      hypot(thud_arc_beside(thud_arc_norm(arc, third), by->q), thud_arc_beside(thud_arc_norm(arc, third + n), by->v));
  return thud_dop853_combine(five, three) / functions->tolerance;
}

/* Far too long a step of a stiff system ends at velocities beside which no error is large. */
#define RUN_AWAY 100.0

static bool runs_away(const sim_arc *arc, double h, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  double before = fmax(functions->control->speed, thud_arc_norm(arc, functions->method.start + arc->n));
  double expected = fmax(before, h * functions->forces);
  return !(by->v <= RUN_AWAY * expected) && expected > 0;
}

thud_error thud_arc_runge_kutta(sim_arc *arc, double h, double *worst, bool *drifts) {
  struct arc_functions *functions = arc->functions;
  *drifts = false;
  thud_error error = thud_dop853_step(&functions->method, h, thud_arc_slope, arc);
  if (error != THUD_OK) return error;
  arc_scales by = thud_arc_scales_of(arc, h);
  *worst = runs_away(arc, h, &by) ? INFINITY : embedded_error(arc, h, &by);
  if (!(*worst <= 1)) return THUD_OK;
  error = thud_dop853_make_dense(&functions->method, h, thud_arc_slope, arc);
  if (error == THUD_OK) error = sweep(arc, h);
  if (error != THUD_OK) return error;
  /* The second sweep has changed the end by what the first one still had to gain. */
  const double *before = functions->states + (size_t)(ARC_NODES - 1) * 2 * arc->n;
  *worst = fmax(*worst, fmax(thud_arc_end_error(arc, h, before, &by), thud_arc_judge(arc, h, &by, drifts)));
  return THUD_OK;
}

/* ---- DOP853 -------------------------------------------------------------------------------------------------------- */

/* The explicit Runge-Kutta method of order 8 with embedded error estimates of orders 5 and 3 and dense output of order
 * 7 of Dormand and Prince (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, sections II.5, II.6,
 * II.10: DOP853). */

static const double place[DOP853_ALL] = {0,
                                         0.526001519587677318785587544488e-1,
                                         0.789002279381515978178381316732e-1,
                                         0.11835034190722739672675719751,
                                         0.28164965809277260327324280249,
                                         0.333333333333333333333333333333,
                                         0.25,
                                         0.307692307692307692307692307692,
                                         0.651282051282051282051282051282,
                                         0.6,
                                         0.857142857142857142857142857142,
                                         1,
                                         1,
                                         0.1,
                                         0.2,
                                         0.777777777777777777777777777778};

/* Rows 1..11: the stages; 12: the weights of the step, which make stage 12 the slope at its end; 13..15: the stages of
 * the dense output. */
static const double weight[DOP853_ALL][DOP853_ALL] = {
    [1] = {[0] = 5.26001519587677318785587544488e-2},
    [2] = {[0] = 1.97250569845378994544595329183e-2, [1] = 5.91751709536136983633785987549e-2},
    [3] = {[0] = 2.95875854768068491816892993775e-2, [2] = 8.87627564304205475450678981324e-2},
    [4] = {[0] = 2.41365134159266685502369798665e-1,
           [2] = -8.84549479328286085344864962717e-1,
           [3] = 9.24834003261792003115737966543e-1},
    [5] = {[0] = 3.7037037037037037037037037037e-2,
           [3] = 1.70828608729473871279604482173e-1,
           [4] = 1.25467687566822425016691814123e-1},
    [6] = {[0] = 3.7109375e-2,
           [3] = 1.70252211019544039314978060272e-1,
           [4] = 6.02165389804559606850219397283e-2,
           [5] = -1.7578125e-2},
    [7] = {[0] = 3.70920001185047927108779319836e-2,
           [3] = 1.70383925712239993810214054705e-1,
           [4] = 1.07262030446373284651809199168e-1,
           [5] = -1.53194377486244017527936158236e-2,
           [6] = 8.27378916381402288758473766002e-3},
    [8] = {[0] = 6.24110958716075717114429577812e-1,
           [3] = -3.36089262944694129406857109825,
           [4] = -8.68219346841726006818189891453e-1,
           [5] = 2.75920996994467083049415600797e1,
           [6] = 2.01540675504778934086186788979e1,
           [7] = -4.34898841810699588477366255144e1},
    [9] = {[0] = 4.77662536438264365890433908527e-1,
           [3] = -2.48811461997166764192642586468,
           [4] = -5.90290826836842996371446475743e-1,
           [5] = 2.12300514481811942347288949897e1,
           [6] = 1.52792336328824235832596922938e1,
           [7] = -3.32882109689848629194453265587e1,
           [8] = -2.03312017085086261358222928593e-2},
    [10] = {[0] = -9.3714243008598732571704021658e-1,
            [3] = 5.18637242884406370830023853209,
            [4] = 1.09143734899672957818500254654,
            [5] = -8.14978701074692612513997267357,
            [6] = -1.85200656599969598641566180701e1,
            [7] = 2.27394870993505042818970056734e1,
            [8] = 2.49360555267965238987089396762,
            [9] = -3.0467644718982195003823669022},
    [11] = {[0] = 2.27331014751653820792359768449,
            [3] = -1.05344954667372501984066689879e1,
            [4] = -2.00087205822486249909675718444,
            [5] = -1.79589318631187989172765950534e1,
            [6] = 2.79488845294199600508499808837e1,
            [7] = -2.85899827713502369474065508674,
            [8] = -8.87285693353062954433549289258,
            [9] = 1.23605671757943030647266201528e1,
            [10] = 6.43392746015763530355970484046e-1},
    [12] = {[0] = 5.42937341165687622380535766363e-2,
            [5] = 4.45031289275240888144113950566,
            [6] = 1.89151789931450038304281599044,
            [7] = -5.8012039600105847814672114227,
            [8] = 3.1116436695781989440891606237e-1,
            [9] = -1.52160949662516078556178806805e-1,
            [10] = 2.01365400804030348374776537501e-1,
            [11] = 4.47106157277725905176885569043e-2},
    [13] = {[0] = 5.61675022830479523392909219681e-2,
            [6] = 2.53500210216624811088794765333e-1,
            [7] = -2.46239037470802489917441475441e-1,
            [8] = -1.24191423263816360469010140626e-1,
            [9] = 1.5329179827876569731206322685e-1,
            [10] = 8.20105229563468988491666602057e-3,
            [11] = 7.56789766054569976138603589584e-3,
            [12] = -8.298e-3},
    [14] = {[0] = 3.18346481635021405060768473261e-2,
            [5] = 2.83009096723667755288322961402e-2,
            [6] = 5.35419883074385676223797384372e-2,
            [7] = -5.49237485713909884646569340306e-2,
            [10] = -1.08347328697249322858509316994e-4,
            [11] = 3.82571090835658412954920192323e-4,
            [12] = -3.40465008687404560802977114492e-4,
            [13] = 1.41312443674632500278074618366e-1},
    [15] = {[0] = -4.28896301583791923408573538692e-1,
            [5] = -4.69762141536116384314449447206,
            [6] = 7.68342119606259904184240953878,
            [7] = 4.06898981839711007970213554331,
            [8] = 3.56727187455281109270669543021e-1,
            [12] = -1.39902416515901462129418009734e-3,
            [13] = 2.9475147891527723389556272149,
            [14] = -9.15095847217987001081870187138},
};

/* Of the embedded method of order 5, and the method of order 3 whose difference to the step is the other estimate. */
static const double fifth_error[DOP853_STAGES] = {
    [0] = 0.1312004499419488073250102996e-1,  [5] = -0.1225156446376204440720569753e1,
    [6] = -0.4957589496572501915214079952,    [7] = 0.1664377182454986536961530415e1,
    [8] = -0.350328848749973681688648729,     [9] = 0.3341791187130174790297318841,
    [10] = 0.8192320648511571246570742613e-1, [11] = -0.2235530786388629525884427845e-1};
static const double third[DOP853_STAGES] = {[0] = 0.244094488188976377952755905512,
                                            [8] = 0.733846688281611857341361741547,
                                            [11] = 0.220588235294117647058823529412e-1};

static const double dense[4][DOP853_ALL] = {{[0] = -0.84289382761090128651353491142e1,
                                             [5] = 0.5667149535193777696253178359,
                                             [6] = -0.30689499459498916912797304727e1,
                                             [7] = 0.2384667656512069828772814968e1,
                                             [8] = 0.21170345824450282767155149946e1,
                                             [9] = -0.8713915837779729920678990749,
                                             [10] = 0.2240437430260788275854177165e1,
                                             [11] = 0.6315787787694688181557024929,
                                             [12] = -0.889903364513333108206981174e-1,
                                             [13] = 0.18148505520854727256656404962e2,
                                             [14] = -0.91946323924783554000451984436e1,
                                             [15] = -0.44360363875948939664310572e1},
                                            {[0] = 0.10427508642579134603413151009e2,
                                             [5] = 0.24228349177525818288430175319e3,
                                             [6] = 0.16520045171727028198505394887e3,
                                             [7] = -0.37454675472269020279518312152e3,
                                             [8] = -0.22113666853125306036270938578e2,
                                             [9] = 0.77334326684722638389603898808e1,
                                             [10] = -0.30674084731089398182061213626e2,
                                             [11] = -0.93321305264302278729567221706e1,
                                             [12] = 0.15697238121770843886131091075e2,
                                             [13] = -0.31139403219565177677282850411e2,
                                             [14] = -0.93529243588444783865713862664e1,
                                             [15] = 0.3581684148639408375246589854e2},
                                            {[0] = 0.19985053242002433820987653617e2,
                                             [5] = -0.38703730874935176555105901742e3,
                                             [6] = -0.18917813819516756882830838328e3,
                                             [7] = 0.52780815920542364900561016686e3,
                                             [8] = -0.11573902539959630126141871134e2,
                                             [9] = 0.68812326946963000169666922661e1,
                                             [10] = -0.1000605096691083840318386098e1,
                                             [11] = 0.7777137798053443209286926574,
                                             [12] = -0.27782057523535084065932004339e1,
                                             [13] = -0.60196695231264120758267380846e2,
                                             [14] = 0.84320405506677161018159903784e2,
                                             [15] = 0.1199229113618278932803513003e2},
                                            {[0] = -0.25693933462703749003312586129e2,
                                             [5] = -0.15418974869023643374053993627e3,
                                             [6] = -0.23152937917604549567536039109e3,
                                             [7] = 0.3576391179106141237828534991e3,
                                             [8] = 0.93405324183624310003907691704e2,
                                             [9] = -0.37458323136451633156875139351e2,
                                             [10] = 0.10409964950896230045147246184e3,
                                             [11] = 0.29840293426660503123344363579e2,
                                             [12] = -0.43533456590011143754432175058e2,
                                             [13] = 0.963245539591882829483949506e2,
                                             [14] = -0.39177261675615439165231486172e2,
                                             [15] = -0.14972683625798562581422125276e3}};

static double sum_of(const dop853 *method, const double *weights, int stages, size_t i) {
  double sum = 0;
  for (int j = 0; j < stages; j++) sum += weights[j] * method->slope[(size_t)j * method->count + i];
  return sum;
}

/* Stages first..last. */
static thud_error run_stages(dop853 *method, int first, int last, double h, dop853_slope slope, void *user) {
  for (int j = first; j <= last; j++) {
    for (size_t i = 0; i < method->count; i++)
      method->trial[i] = method->start[i] + h * sum_of(method, weight[j], j, i);
    if (j == DOP853_STAGES) memcpy(method->end, method->trial, method->count * sizeof(double));
    thud_error error = slope(user, place[j] * h, method->trial, method->slope + (size_t)j * method->count);
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}

thud_error thud_dop853_step(dop853 *method, double h, dop853_slope slope, void *user) {
  return run_stages(method, 1, DOP853_STAGES, h, slope, user);
}

void thud_dop853_errors(const dop853 *method, double h, double *fifth_order, double *third_order) {
  for (size_t i = 0; i < method->count; i++) {
    fifth_order[i] = h * sum_of(method, fifth_error, DOP853_STAGES, i);
    third_order[i] =
        h * (sum_of(method, weight[DOP853_STAGES], DOP853_STAGES, i) - sum_of(method, third, DOP853_STAGES, i));
  }
}

double thud_dop853_combine(double fifth_order, double third_order) {
  double below = fifth_order * fifth_order + 0.01 * third_order * third_order;
  return below > 0 ? fifth_order * fifth_order / sqrt(below) : 0;
}

thud_error thud_dop853_make_dense(dop853 *method, double h, dop853_slope slope, void *user) {
  size_t count = method->count;
  thud_error error = run_stages(method, DOP853_STAGES + 1, DOP853_ALL - 1, h, slope, user);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < count; i++) {
    double *part = method->dense + i, rise = method->end[i] - method->start[i];
    double first = h * method->slope[i], last = h * method->slope[DOP853_STAGES * count + i];
    part[0] = rise;
    part[count] = first - rise;
    part[2 * count] = 2 * rise - first - last;
    for (size_t r = 0; r < 4; r++) part[(3 + r) * count] = h * sum_of(method, dense[r], DOP853_ALL, i);
  }
  return THUD_OK;
}

void thud_dop853_at(const dop853 *method, double x, double *y) {
  for (size_t i = 0; i < method->count; i++) {
    double sum = 0;
    for (int r = DOP853_DENSE - 1; r >= 0; r--)
      sum = (sum + method->dense[(size_t)r * method->count + i]) * (r % 2 == 0 ? x : 1 - x);
    y[i] = method->start[i] + sum;
  }
}
