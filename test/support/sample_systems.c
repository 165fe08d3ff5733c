#include "sample_systems.h"

const thud_test_system thud_test_bouncing_particle = {
    .coordinates = {"q"},
    .kinetic_energy = "q'^2/2",
    .forces = {"2"},
    .constraints = {{.name = "floor", .source = "q", .is_phi = true, .restitution = "0.5"}}};

static const char *const beak_slip[] = {"y' + 0.010*a' + (0.015 - 0.0201)*b'"};
static const char *const sleeve_slip[] = {"y' + 0.0031*a'"};
const thud_test_system thud_test_woodpecker = {
    .coordinates = {"y", "a", "b"},
    .kinetic_energy = "0.5*((0.0045 + 0.0003)*y'^2 + 2*0.0045*0.010*y'*a' + 2*0.0045*0.015*y'*b' + (5e-9 + "
                      "0.0045*0.010^2)*a'^2 + 2*0.0045*0.010*0.015*a'*b' + (7e-7 + 0.0045*0.015^2)*b'^2)",
    .potential_energy = "0.0056/2*(a - b)^2 + 9.81*((0.0045 + 0.0003)*y + 0.0045*0.010*a + 0.0045*0.015*b)",
    .constraints = {{.name = "beak", .source = "0.010 + 0.015 - 0.0201 - 0.0025 - 0.02*b", .restitution = "0.5"},
                    {.name = "low", .source = "0.0006 + 0.0058*a"},
                    {.name = "high", .source = "0.0006 - 0.0058*a"}},
    .friction = {
        {.name = "1", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = beak_slip, .mu = "0.3"},
        {.name = "2", .constraint = 1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = sleeve_slip, .mu = "0.3"},
        {.name = "3", .constraint = 2, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = sleeve_slip, .mu = "0.3"}}};
const double thud_test_woodpecker_q[3] = {0, -0.0006 / 0.0058, -0.2788};
const double thud_test_woodpecker_v[3] = {-0.3411, 0, -7.4583};

static const char *const floor_slip[] = {"x'", "y'"};

thud_test_system thud_test_puck(const char *fx, const char *fy, const char *fz, const char *mu) {
  return (thud_test_system){.coordinates = {"x", "y", "z"},
                            .kinetic_energy = "(x'^2 + y'^2 + z'^2)/2",
                            .forces = {fx, fy, fz},
                            .constraints = {{.name = "floor", .source = "z", .restitution = "0.5"}},
                            .friction = {{.name = "friction",
                                          .constraint = 0,
                                          .kind = THUD_FRICTION_DISC,
                                          .directions = 2,
                                          .slip = floor_slip,
                                          .mu = mu}}};
}
