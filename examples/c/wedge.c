#include <stdio.h>
#include <thud/thud.h>

int main(void) {
  thud_context *context;
  thud_polyhedron_projector *projector;
  const double gradients[4] = {0, -1, 0.8, -0.6}; /* rows: the two faces of the wedge */
  const double before[2] = {1, 0};
  double after[2], normal_part[2], percussions[2];
  thud_pivot_info info;
  if (thud_context_create(NULL, &context) != THUD_OK) return 3;
  if (thud_polyhedron_projector_create(context, 2, 2, &projector) != THUD_OK ||
      thud_two_cones(projector, NULL, 2, gradients, before, 1e-12, after, normal_part, percussions, &info) != THUD_OK) {
    fprintf(stderr, "%s\n", thud_context_last_message(context));
    return 2;
  }
  printf("v+ = (%g, %g), percussions %g and %g\n", after[0], after[1], percussions[0], percussions[1]);
  thud_polyhedron_projector_destroy(projector);
  thud_context_destroy(context);
  return 0;
}
