/* Nearest points of two cores that are apart, by every vertex against every edge: for the cases in which the axis of
 * largest separation is not that of the distance, two vertices facing each other. */
#include "geom/planar_core.h"

/* A vertex of one core against the edge from `from` to `to` of the other, all in one frame. */
typedef struct planar_question {
  thud_vec2 vertex, from, to, normal; /* normal of the edge, outward */
  uint32_t vertex_part;
  thud_index edge, end; /* numbers of the edge and of the vertex `to` */
} planar_question;

/* vertex_owner: the core whose vertex is asked about. Keeps what is nearer. */
static void ask(const planar_question *question, int vertex_owner, thud_planar_nearest *nearest) {
  thud_vec2 edge = thud_vec2_subtract(question->to, question->from);
  thud_vec2 across = thud_vec2_subtract(question->vertex, question->from);
  double along = thud_vec2_dot(across, edge), length2 = thud_vec2_dot(edge, edge);
  bool inside = along > 0 && along < length2;
  thud_vec2 foot = along > 0 ? question->to : question->from;
  if (inside) foot = thud_vec2_add_scaled(question->from, along / length2, edge);
  across = thud_vec2_subtract(question->vertex, foot);
  double distance = thud_vec2_norm(across);
  if (!(distance < nearest->distance)) return;
  thud_vec2 normal = question->normal;
  if (inside && thud_vec2_dot(normal, across) < 0) normal = thud_vec2_scale(-1, normal);
  if (!inside && distance > 0) normal = thud_vec2_scale(1 / distance, across);
  nearest->distance = distance;
  nearest->normal = vertex_owner == 0 ? normal : thud_vec2_scale(-1, normal);
  nearest->points[vertex_owner] = question->vertex;
  nearest->points[1 - vertex_owner] = foot;
  nearest->parts[vertex_owner] = question->vertex_part;
  nearest->parts[1 - vertex_owner] =
      (uint32_t)(inside ? 4 * question->edge + 2 : 4 * (along > 0 ? question->end : question->edge));
}

static thud_vec2 placed_vertex(const thud_planar_pair *pair, int owner, thud_index i) {
  thud_vec2 vertex = thud_planar_vertex(&pair->cores[owner], i);
  return owner == 0 ? thud_planar_apply(&pair->to_other[0], vertex) : vertex;
}

static thud_vec2 placed_normal(const thud_planar_pair *pair, int owner, thud_index i) {
  thud_vec2 normal = thud_planar_normal(&pair->cores[owner], i);
  return owner == 0 ? thud_planar_turn(&pair->to_other[0], normal) : normal;
}

/* All vertices of one core against all edges of the other. */
static void ask_all(const thud_planar_pair *pair, int vertex_owner, thud_planar_nearest *nearest) {
  const thud_planar_core *edges = &pair->cores[1 - vertex_owner], *core = &pair->cores[vertex_owner];
  for (thud_index k = 0; k < edges->edge_count; k++) {
    planar_question question = {.edge = k, .end = thud_planar_next(edges, k)};
    question.from = placed_vertex(pair, 1 - vertex_owner, k);
    question.to = placed_vertex(pair, 1 - vertex_owner, question.end);
    question.normal = placed_normal(pair, 1 - vertex_owner, k);
    for (thud_index i = 0; i < core->vertex_count; i++) {
      question.vertex = placed_vertex(pair, vertex_owner, i);
      question.vertex_part = (uint32_t)(4 * i);
      ask(&question, vertex_owner, nearest);
    }
  }
}

/* Two points in one place have any normal. */
static void ask_points(const thud_planar_pair *pair, thud_planar_nearest *nearest) {
  nearest->points[0] = pair->to_other[0].shift;
  nearest->points[1] = thud_vec2_make(0, 0);
  nearest->distance = thud_vec2_norm(nearest->points[0]);
  nearest->normal = nearest->distance > 0 ? thud_vec2_scale(1 / nearest->distance, nearest->points[0])
                                          : thud_planar_turn_back(&pair->to_world[1], thud_vec2_make(0, 1));
}

void thud_planar_find_nearest(const thud_planar_pair *pair, thud_planar_nearest *nearest) {
  *nearest = (thud_planar_nearest){.distance = INFINITY, .normal = {0, 1}};
  if (pair->cores[0].edge_count == 0 && pair->cores[1].edge_count == 0) {
    ask_points(pair, nearest);
    return;
  }
  ask_all(pair, 0, nearest);
  ask_all(pair, 1, nearest);
}
