#include "convex/splitting.h"

thud_error thud_splitting_create(thud_set *set) {
  (void)set;
  return THUD_OK;
}
void thud_splitting_destroy(thud_splitting *splitting) { (void)splitting; }
void thud_splitting_refresh(thud_set *set) { (void)set; }
thud_error thud_splitting_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                  thud_set_info *info) {
  (void)metric;
  (void)x;
  (void)y;
  (void)info;
  return thud_fail(set->context, THUD_ERROR_UNSUPPORTED, "%s: not yet", set->kind->kind);
}
thud_error thud_splitting_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  (void)d;
  (void)value;
  (void)point;
  (void)info;
  return thud_fail(set->context, THUD_ERROR_UNSUPPORTED, "%s: not yet", set->kind->kind);
}
