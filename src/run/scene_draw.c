/* What a scene looks like at a moment of its record. */
#include "run/scene_draw.h"
#include "scene/build.h"
#include "thud/kind.h"

thud_error thud_scene_draw(const thud_scene *scene, thud_moment *moment, thud_drawing *drawing) {
  if (scene->kind->draw == NULL) return THUD_OK;
  return scene->kind->draw(scene->motion, moment, drawing);
}
