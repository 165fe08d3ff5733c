/* thud/io.h: everything of libthud-io: files of scenes, problems and records, runs, pictures, studies and the checker.
 * Includes thud/thud.h. */
#ifndef THUD_IO_H
#define THUD_IO_H

#include "thud/thud.h"
#include "thud/tree.h"
#include "thud/record.h"
#include "thud/rows.h"
#include "thud/vtk.h"
#include "thud/moment.h"
#include "thud/drawing.h"
#include "thud/problem.h"
#include "thud/scene.h"
#include "thud/explain.h"
#include "thud/kind.h"
#include "thud/run.h"
#include "thud/film.h"
#include "thud/plot.h"
#include "thud/study.h"
#include "thud/compare.h"
#include "thud/page.h"
#include "thud/verify.h"

#endif
