/* thud/thud.h: everything. */
#ifndef THUD_THUD_H
#define THUD_THUD_H

#include "thud/base.h"
#include "thud/tree.h"
#include "thud/linalg.h"
#include "thud/pivot.h"
#include "thud/expr.h"
#include "thud/convex.h"
#include "thud/contact.h"
#include "thud/velocity.h"
#include "thud/solve.h"
#include "thud/uniqueness.h"
#include "thud/answer.h"
#include "thud/model.h"
#include "thud/sim.h"
#include "thud/motion.h"
#include "thud/event.h"
#include "thud/record.h"
#include "thud/rows.h"
#include "thud/problem.h"
#include "thud/scene.h"
#include "thud/kind.h"
#include "thud/run.h"
#include "thud/plot.h"
#include "thud/study.h"
#include "thud/verify.h"

#endif
