/* thud plot: records as pictures. */
#include "cli/terminal.h"
#include "base/base.h"
#include "base/json.h"
#include "thud/plot.h"

#include <math.h>
#include <string.h>

static const cli_flag flags[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "picture, .png, .svg or .pdf (default: the record's name + .png)"},
    {.name = "force", .letter = 'f', .help = "replace a file that is no picture of thud"},
    {.name = "panels",
     .value = "A,B,...",
     .help = "channels, components or expressions to draw (default: the state, reactions and impulses)"},
    {.name = "components", .value = "X,Y,...", .help = "only these components (default: the first eight that move)"},
    {.name = "phase",
     .value = "X,Y",
     .help = "the curve of two components or expressions in their plane instead of panels over time"},
    {.name = "from", .value = "T", .help = "only what happens from this time on"},
    {.name = "to", .value = "T", .help = "only what happens up to this time"},
    {.name = "log",
     .value = "AXIS,...",
     .help = "logarithmic axes: x, y (of all panels) or panels by name; - for none (default: residuals)"},
    {.name = "difference", .help = "each further record minus the first one, at the times of both"},
    {.name = "cone",
     .value = "CONTACT",
     .help = "quasi-static records: the path of this contact's reaction within its friction cone"},
    {.name = "profile",
     .value = "A,B,...",
     .help = "fields over their places: pressure,traction of a half-plane; line: all of a string or beam"},
    {.name = "field",
     .value = "NAME",
     .help = "membranes and plates: v, pressure, status, u or r on the mesh, in colours"},
    {.name = "snapshot", .value = "T,...", .help = "what the motion looks like at these times, side by side"},
    {.name = "film", .help = "what the motion looks like, as an animated PNG"},
    {.name = "frames", .value = "N", .help = "frames of --film (default 100)"},
    {.name = "rate", .value = "FPS", .help = "frames per second of --film (default: it lasts as long as the motion)"},
    {.name = "forces", .help = "contact forces of bodies in --snapshot and --film, as strokes"},
    {.name = "view", .value = "AZ,EL", .help = "azimuth and elevation of the eye, in degrees (default -60,25)"},
    {.name = "at", .value = "T,...", .help = "times of --profile, or the time of --field (default: the last row)"},
    {.name = "title", .value = "TEXT", .help = "title (default: the record's)"},
    {.name = "width", .value = "INCHES", .help = "width of the picture (default 6.4)"},
    {.name = "height", .value = "INCHES", .help = "height (default: from the number of panels)"},
    {.name = "dpi", .value = "N", .help = "pixels per inch of a PNG (default 200, of a film 100)"},
};

/* Values of the flags; numbers are read before anything is drawn. */
typedef struct plot_flags {
  thud_plot_options options;
  thud_field_choice field;
  thud_snapshot_choice snapshot;
  thud_plot_film_choice film;
  double *times, *view; /* of snapshots */
  double window[2];
  thud_picture *picture; /* what was drawn of records; NULL: something else was */
} plot_flags;

/* Films are for screens: fewer dots than on paper. */
static const double film_dpi = 100;

static bool read_film(const cli_call *call, thud_plot_film_choice *film) {
  double frames = 0;
  if (!cli_number(call, "frames", &frames) || !cli_number(call, "rate", &film->rate)) return false;
  film->frames = frames >= 1 && frames < 1e9 ? (int)frames : -1;
  if (!cli_given(call, "frames"))
    film->frames = 0;
  else if (frames != (double)film->frames) {
    cli_complain("plot: --frames is a whole number, not %g", frames);
    return false;
  }
  if (!cli_given(call, "rate") || film->rate > 0) return true;
  cli_complain("plot: --rate is a positive number, not %g", film->rate);
  return false;
}

/* False after a message. */
static bool read_flags(const cli_call *call, plot_flags *flags_given) {
  thud_plot_options *options = &flags_given->options;
  thud_snapshot_choice *snapshot = &flags_given->snapshot;
  size_t angles = 0;
  const char *title = cli_value(call, "title", 0);
  *options = thud_plot_options_default();
  if (cli_given(call, "film")) options->dpi = film_dpi;
  flags_given->field = (thud_field_choice){.field = cli_value(call, "field", 0), .at = NAN, .title = title};
  *snapshot = (thud_snapshot_choice){.forces = cli_given(call, "forces"), .title = title};
  flags_given->window[0] = flags_given->window[1] = NAN;
  flags_given->film = (thud_plot_film_choice){.forces = snapshot->forces, .title = title};
  bool good = cli_number(call, "from", &flags_given->window[0]) && cli_number(call, "to", &flags_given->window[1]) &&
              read_film(call, &flags_given->film) && cli_number(call, "width", &options->width) &&
              cli_number(call, "height", &options->height) && cli_number(call, "dpi", &options->dpi) &&
              (flags_given->field.field == NULL || cli_number(call, "at", &flags_given->field.at)) &&
              cli_numbers(call, "snapshot", &flags_given->times, &snapshot->count) &&
              cli_numbers(call, "view", &flags_given->view, &angles);
  snapshot->times = flags_given->times;
  snapshot->view = flags_given->film.view = flags_given->view;
  flags_given->film.window = flags_given->window;
  if (!good || flags_given->view == NULL || angles == 2) return good;
  cli_complain("plot: --view needs two angles, azimuth and elevation, not %zu", angles);
  return false;
}

/* Pictures of their own kind: one record, and none of the flags of panels. */
static thud_error check_alone(const cli_call *call, const char *flag) {
  static const char *const others[] = {"panels", "components", "phase", "cone",       "profile",  "field",
                                       "from",   "to",         "log",   "difference", "snapshot", "film"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    bool window = strcmp(others[k], "from") == 0 || strcmp(others[k], "to") == 0;
    bool fits = strcmp(others[k], flag) == 0 || (window && strcmp(flag, "film") == 0);
    if (!fits && cli_given(call, others[k]))
      return thud_fail(call->context, THUD_ERROR_ARGUMENT, "[usage] --%s and --%s do not go together", flag, others[k]);
  }
  if (call->operand_count == 1) return THUD_OK;
  return thud_fail(call->context, THUD_ERROR_ARGUMENT, "[usage] --%s draws one record, not %d", flag,
                   call->operand_count);
}

static thud_error draw_field(const cli_call *call, const plot_flags *given, const char *path) {
  thud_error error = check_alone(call, "field");
  if (error != THUD_OK) return error;
  return thud_plot_field(call->context, call->operands[0], &given->field, &given->options, path);
}

static thud_error draw_snapshot(const cli_call *call, const plot_flags *given, const char *path) {
  thud_error error = check_alone(call, "snapshot");
  if (error != THUD_OK) return error;
  if (cli_given(call, "at"))
    return thud_fail(call->context, THUD_ERROR_ARGUMENT, "[usage] the times of snapshots follow --snapshot, not --at");
  return thud_plot_snapshot(call->context, call->operands[0], &given->snapshot, &given->options, path);
}

static thud_error draw_film(const cli_call *call, const plot_flags *given, const char *path) {
  thud_error error = check_alone(call, "film");
  if (error != THUD_OK) return error;
  return thud_plot_film(call->context, call->operands[0], &given->film, &given->options, path);
}

/* Flags that say how something is drawn that is not drawn. */
static thud_error check_companions(const cli_call *call) {
  static const struct {
    const char *flag;
    bool of_snapshots;
  } companions[] = {{"forces", true}, {"view", true}, {"frames", false}, {"rate", false}};
  for (size_t k = 0; k < sizeof companions / sizeof *companions; k++) {
    bool fits = cli_given(call, "film") || (companions[k].of_snapshots && cli_given(call, "snapshot"));
    if (cli_given(call, companions[k].flag) && !fits)
      return thud_fail(call->context, THUD_ERROR_ARGUMENT, "[usage] --%s goes with %s", companions[k].flag,
                       companions[k].of_snapshots ? "--snapshot or --film" : "--film");
  }
  return THUD_OK;
}

/* Panels, curves and profiles; the picture is kept for its notes. */
static thud_error draw_records(const cli_call *call, plot_flags *given, const char *path) {
  const thud_plot_choice choice = {.panels = cli_value(call, "panels", 0),
                                   .components = cli_value(call, "components", 0),
                                   .phase = cli_value(call, "phase", 0),
                                   .title = cli_value(call, "title", 0),
                                   .cone = cli_value(call, "cone", 0),
                                   .profile = cli_value(call, "profile", 0),
                                   .times = cli_value(call, "at", 0),
                                   .window = cli_given(call, "from") || cli_given(call, "to") ? given->window : NULL,
                                   .logarithmic = cli_value(call, "log", 0),
                                   .difference = cli_given(call, "difference")};
  thud_error error = thud_picture_create(call->context, (size_t)call->operand_count,
                                         (const char *const *)call->operands, &choice, &given->picture);
  if (error != THUD_OK) return error;
  return thud_plot_write(call->context, thud_picture_figure(given->picture), &given->options, path);
}

static thud_error draw(const cli_call *call, plot_flags *given, const char *path) {
  thud_error error = check_companions(call);
  if (error != THUD_OK) return error;
  if (cli_given(call, "film")) return draw_film(call, given, path);
  if (cli_given(call, "snapshot")) return draw_snapshot(call, given, path);
  return cli_given(call, "field") ? draw_field(call, given, path) : draw_records(call, given, path);
}

/* {"verdict": "good", "file": path, "notes": [...]} to stdout. */
static int write_json(const cli_call *call, const plot_flags *given, const char *path) {
  thud_text text = thud_text_new(call->context);
  thud_json json = thud_json_new(&text);
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict", "good");
  thud_json_string_field(&json, "file", path);
  thud_json_key(&json, "notes");
  thud_json_begin_array(&json);
  for (size_t k = 0; k < thud_picture_note_count(given->picture); k++)
    thud_json_string(&json, thud_picture_note(given->picture, k));
  thud_json_end_array(&json);
  thud_json_end_object(&json);
  thud_text_print(&text, "\n");
  int code = text.error == THUD_OK ? cli_write_out(thud_text_chars(&text)) : CLI_INTERNAL;
  thud_text_free(&text);
  return code;
}

/* The picture under its name, or the exit code of what went wrong. */
static int write_picture(const cli_call *call, plot_flags *given, const char *path) {
  if (!cli_output_is_no_input(call, path)) return CLI_BAD_INPUT;
  given->options.overwrite = cli_may_replace(call, path);
  thud_error error = path != NULL ? draw(call, given, path) : THUD_ERROR_MEMORY;
  if (error != THUD_OK) return cli_report_error(call, error);
  if (call->json) return write_json(call, given, path);
  cli_print(stdout, "picture: %s\n", path);
  int written = cli_end_output(); /* in front of the notes, also where both go to one file */
  for (size_t k = 0; k < thud_picture_note_count(given->picture); k++)
    cli_print(stderr, "note: %s\n", thud_picture_note(given->picture, k));
  return written;
}

static int run(const cli_call *call) {
  plot_flags given = {.times = NULL};
  const char *output = cli_value(call, "output", 0);
  char *name = output == NULL ? cli_name_beside(call, call->operands[0], ".png") : NULL;
  int code = CLI_BAD_INPUT;
  if (read_flags(call, &given)) code = write_picture(call, &given, output != NULL ? output : name);
  thud_picture_destroy(given.picture);
  thud_free(call->context, given.times);
  thud_free(call->context, given.view);
  thud_free(call->context, name);
  return code;
}

const cli_command cli_plot = {
    .name = "plot",
    .operands = "RECORD...",
    .summary = "draw records as PNG, SVG or PDF",
    .details =
        "Draws the state, the reactions and, as stems, the impulses over time, jumps as jumps, or a string or beam\n"
        "over its length. Several records go into the same panels, further ones dashed. A panel is a channel of\n"
        "the record's frames, drawn as its description says: lines, steps, polynomials, densities, points; values\n"
        "with names get these on the axis. `impulse` are the atoms of the reaction or the impulses of the events,\n"
        "`v` of an event-driven record the slopes of q, and channels of the events are drawn at their times. An\n"
        "unknown panel is refused with the list of those that there are. Components of different units are in\n"
        "different panels. A panel may also be a component (x, load.x) or an expression of t, components,\n"
        "parameters and definitions of the scene (0.5*m*x'^2). --phase takes two of these, marks start and end,\n"
        "and shades what constraints forbid. --cone takes a contact of a quasi-static record. --profile draws\n"
        "channels whose components are named by places, p(0.25), over these, with contact and stick zones, or\n"
        "(line) a string or beam with its reaction, stick and slip; --field draws a field of a membrane or a plate\n"
        "in colours; both at the end or --at times. --snapshot draws what the motion looks like at times, --film as\n"
        "an animated PNG: rigid bodies (in space shaded, seen from --view), and what kinds of motion and the `draw`\n"
        "sections of scenes draw. A few events without impulse are marked by lines.",
    .min_operands = 1,
    .max_operands = 8,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
};
