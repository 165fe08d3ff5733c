/* Shared by the writers of VTK files. */
#ifndef THUD_SRC_RECORD_VTK_H
#define THUD_SRC_RECORD_VTK_H

#include "thud/vtk.h"

/* Text between quotes of XML. */
void thud_vtk_write_text(FILE *stream, const char *text);
/* One part as a .vtu file of its own; the part's name is not in it. */
thud_error thud_vtk_export_part(thud_context *context, const thud_vtk_part *part, const char *path, bool overwrite);

#endif
