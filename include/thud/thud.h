/* thud/thud.h: everything of libthud: sets, problems, solvers, systems and motions, without files and pictures
 * (thud/io.h has these). */
#ifndef THUD_THUD_H
#define THUD_THUD_H

#include "thud/base.h"
#include "thud/linalg.h"
#include "thud/pivot.h"
#include "thud/expr.h"
#include "thud/convex.h"
#include "thud/contact.h"
#include "thud/velocity.h"
#include "thud/solid.h"
#include "thud/solve.h"
#include "thud/uniqueness.h"
#include "thud/answer.h"
#include "thud/geom.h"
#include "thud/bodies.h"
#include "thud/model.h"
#include "thud/motion.h"
#include "thud/sim.h"
#include "thud/stepping.h"
#include "thud/body_motion.h"
#include "thud/event.h"
#include "thud/quasistatic.h"
#include "thud/friction.h"
#include "thud/critical.h"
#include "thud/elastic.h"
#include "thud/mesh.h"
#include "thud/surface.h"
#include "thud/half_plane.h"

#endif
