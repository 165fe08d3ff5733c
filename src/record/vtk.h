/* What the writers of VTK's files share. */
#ifndef THUD_SRC_RECORD_VTK_H
#define THUD_SRC_RECORD_VTK_H

#include "thud/vtk.h"

/* Text between quotes of XML. */
void thud_vtk_write_text(FILE *stream, const char *text);

#endif
