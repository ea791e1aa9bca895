/* Cairn behind a C interface: the engine for other languages (python/, a browser). docs/python.md shows it in use.
 *
 * Nothing is thrown across it. A function returns CAIRN_OK or the code of its error, whose text cairn_error() has. It
 * starts no threads but those that a scenario asks for by run.threads, prints nothing, and reads no files but those
 * that a scenario names; cairn_report alone also writes some. SI units throughout. Text is UTF-8.
 *
 * A simulation is used by one thread at a time; different ones are independent. Between two calls that advance it, a
 * simulation stands between two steps, and everything observed belongs to that instant: velocities to the time of the
 * positions, for schemes that stagger them, too.
 *
 * CAIRN_INTERFACE rises when a function or a structure changes so that callers must change. */
#ifndef CAIRN_FACADE_CAIRN_H
#define CAIRN_FACADE_CAIRN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAIRN_INTERFACE 1
#define CAIRN_API __attribute__((visibility("default")))

/* As the exit codes of the program (docs/running.md). CAIRN_STOPPED: a progress callback asked for it. CAIRN_MISUSE: an
 * argument that no caller should pass. */
enum {
  CAIRN_OK = 0,
  CAIRN_BAD_INPUT = 2,
  CAIRN_GUARD = 3,
  CAIRN_IO = 4,
  CAIRN_NO_SPACE = 5,
  CAIRN_NO_MEMORY = 6,
  CAIRN_BUSY = 7,
  CAIRN_CORRUPT = 8,
  CAIRN_NO_THREADS = 9,
  CAIRN_STOPPED = 130,
  CAIRN_MISUSE = 100
};

CAIRN_API int32_t cairn_interface(void);   /* CAIRN_INTERFACE of the library */
CAIRN_API const char* cairn_version(void); /* "0.1.0" */
/* The text of the last error in this thread, until the next error there. */
CAIRN_API const char* cairn_error(void);

/* Bytes that the library allocated; the byte behind the last is zero, so that text is a C string. */
typedef struct {
  char* data;
  size_t size; /* without the zero */
} cairn_buffer;
CAIRN_API void cairn_free(cairn_buffer* buffer); /* does nothing to one that is empty */

/* A scenario: TOML text, a name that stands for its file in errors, and `count` overrides "contact.friction=0.3". Files
 * that the scenario names are relative to the folder of `name`. */
typedef struct {
  const char* text;
  size_t size; /* of the text [bytes] */
  const char* name;
  const char* const* overrides;
  size_t count;
} cairn_scenario;

/* The faults of a scenario as JSON, an empty list where there are none: [{"place", "line", "column", "key",
 * "message"}]. line and column are null for an override, whose "--set key=value" is the place; key is null for text
 * that is no TOML. Files that the scenario names are not read. */
CAIRN_API int cairn_validate(const cairn_scenario* scenario, cairn_buffer* json);

/* The keys of a scenario as they stand in its text, in that order, as JSON: [{"key": "wall.0.low", "value": [0, 0],
 * "line", "column"}]. Sections, and tables within them, have no value but "table": true, and "braces": true where they
 * are written { ... }. Overrides have no part in it. */
CAIRN_API int cairn_keys(const cairn_scenario* scenario, cairn_buffer* json);

typedef struct cairn_simulation cairn_simulation;

/* A simulation at its start, with its first grains. `threads`: 0 leaves it to the scenario. Free it by
 * cairn_simulation_free. */
CAIRN_API int cairn_simulation_new(const cairn_scenario* scenario, int32_t threads, cairn_simulation** simulation);
/* From the bytes of a checkpoint, of the program or of cairn_checkpoint. `overrides` may set run.end, run.threads,
 * output.* and guards.*. */
CAIRN_API int cairn_simulation_resume(const char* bytes, size_t size, const char* const* overrides, size_t count,
                                      int32_t threads, cairn_simulation** simulation);
CAIRN_API void cairn_simulation_free(cairn_simulation* simulation);

/* At most `steps` steps, to the first step that ends at `until` [s] or later, or to the end, whichever comes first.
 * Rows of the series and of probes are recorded when they are due, and guards are asked as in a run of the program.
 * After CAIRN_GUARD the state can be observed. */
CAIRN_API int cairn_advance(cairn_simulation* simulation, int64_t steps, double until);

/* Where a simulation is. */
typedef struct {
  double time, end;   /* [s] reached; of the run */
  double step;        /* [s] of the last step, before the first that of the scenario */
  int64_t steps;      /* done */
  int64_t steps_left; /* to the end at this step; -1: the scheme chooses its steps */
  int64_t grains;
  int32_t over; /* 1: at the end */
  int32_t dimension;
  uint64_t hash; /* of the state, as the summary of the program has it; only where cairn_look asks for it, else 0 */
} cairn_status;
CAIRN_API int cairn_look(cairn_simulation* simulation, int32_t with_hash, cairn_status* status);

/* Changes keys that may change during a run (docs/scenario.md marks them) from now on, as `cairn resume --set` does:
 * the text of the scenario gets a [[change]] at this instant. Recorded rows stay. */
CAIRN_API int cairn_change(cairn_simulation* simulation, const char* const* overrides, size_t count);

/* A checkpoint of the present state, in the format of the program, with the scenario: `cairn resume FOLDER` takes it as
 * FOLDER/checkpoint/checkpoint.1. */
CAIRN_API int cairn_checkpoint(cairn_simulation* simulation, cairn_buffer* bytes);
/* The scenario as it stands: {"name", "text", "overrides"}, changes made by cairn_change included. */
CAIRN_API int cairn_scenario_of(cairn_simulation* simulation, cairn_buffer* json);
/* summary.json of the present state. `seconds` [s] of wall time since it was made or loaded. */
CAIRN_API int cairn_summary(cairn_simulation* simulation, double seconds, cairn_buffer* json);
/* The messages of guards that only warn: {"overlap": "..."}. */
CAIRN_API int cairn_messages(cairn_simulation* simulation, cairn_buffer* json);

/* Arrays of a simulation, without copies. Those of grains are in the order of CAIRN_IDS, which changes during a run. */
enum {
  CAIRN_IDS = 0,    /* in order of insertion, from 0 */
  CAIRN_POSITIONS,  /* [m] x y z, within the periodic cell; in 2D y is 0, in 1D x too: the last is height */
  CAIRN_VELOCITIES, /* [m/s] x y z */
  CAIRN_SPINS,      /* [rad/s] x y z */
  CAIRN_RADII,      /* [m] */
  CAIRN_MASSES,     /* [kg] */
  CAIRN_MATERIALS,  /* as the scenario lists them, from 0 */
  CAIRN_IMAGES,     /* periods travelled in x y z */
  CAIRN_CONTACTS,   /* closed contacts with their forces, by ids */
  CAIRN_SERIES,     /* rows of the record so far, as series.csv */
  CAIRN_PROBE_ROWS, /* as probes.csv; "probe" counts from 0 */
  CAIRN_EVENTS,     /* contacts that ended, where output.contact_events asks for them, as contact_events.csv */
  CAIRN_ARRAYS      /* how many */
};
enum { CAIRN_REAL = 0, CAIRN_INT64, CAIRN_INT32 }; /* types of fields; a real is a double */

typedef struct {
  const char *name, *unit; /* unit "1": a number without */
  int32_t type;
  int32_t components; /* 3 for a vector, one behind the other; else 1 */
  size_t offset;      /* [bytes] in a row */
} cairn_field;

typedef struct {
  const void* data; /* null where there are no rows */
  int64_t rows;
  size_t stride;             /* [bytes] from one row to the next */
  const cairn_field* fields; /* until the simulation is freed or changed */
  int64_t count;             /* of the fields */
  int32_t block;             /* arrays of one block are in the same memory */
} cairn_view;

/* The present rows. The memory may be read until the next call of cairn_advance, cairn_change or cairn_simulation_free;
 * whoever wants it longer calls cairn_keep before. */
CAIRN_API int cairn_view_of(cairn_simulation* simulation, int32_t array, cairn_view* view);

/* Gives the memory of a block, with all its present rows, to the caller, until cairn_release. The simulation goes on
 * with a copy. Views that were taken before stay readable and show what they showed. */
typedef struct cairn_memory cairn_memory;
CAIRN_API int cairn_keep(cairn_simulation* simulation, int32_t block, cairn_memory** memory);
CAIRN_API void cairn_release(cairn_memory* memory);

/* The columns of the series now, whether a row is due or not: one double for each field of CAIRN_SERIES. */
CAIRN_API int cairn_sample(cairn_simulation* simulation, double* values, int64_t count);

/* A table as the program writes it, "series.csv", "probes.csv" or "contact_events.csv" with the rows so far, or
 * "final.csv" of the present state. */
CAIRN_API int cairn_table(cairn_simulation* simulation, const char* name, cairn_buffer* csv);

/* What a picture shows beside the grains, as JSON: {"low", "high": corners of the view [m], "faces": [{"corners":
 * [[x, y, z], ...] [m], "section"}], "lines": [{"from", "to" [m], "stroke"}], "colour": {"by", "low", "high", "scale",
 * "kinds"}}. Faces of walls are flat and convex, counter-clockwise as seen from the grains; a section is where the view
 * cuts a solid. Lines are "plain" edges, "faint" ones of the periodic cell, "dashed" ones of removal regions. View and
 * colours are those of the program's pictures: they follow from the state at the first call. "scale" has colours from
 * low to high, "kinds" those of materials, both as sRGB bytes. */
CAIRN_API int cairn_scene(cairn_simulation* simulation, cairn_buffer* json);

/* A picture of the present state, the bytes of a PNG file: as the program draws it, with the view and colours of
 * cairn_scene. */
CAIRN_API int cairn_picture(cairn_simulation* simulation, cairn_buffer* png);
/* Writes report.html and figures/ into a folder, from summary.json, series.csv and what else of a run stands there.
 * `drawn`: 0 where gnuplot is missing, and figures are no SVG files. */
CAIRN_API int cairn_report(const char* folder, int32_t* drawn);

/* Data, as the program prints it with --json. Names may be null: all schemes, all laws. */
CAIRN_API int cairn_schemes(const char* name, cairn_buffer* json);
CAIRN_API int cairn_laws(const char* name, cairn_buffer* json);
CAIRN_API int cairn_schema(cairn_buffer* json); /* JSON Schema of a scenario */
/* h omega up to which schemes are stable, a row for each scheme and damping ratio; schemes "rk4,gear4" or null. */
CAIRN_API int cairn_stability(const char* schemes, const double* zetas, size_t count, cairn_buffer* json);
/* Steps up to which schemes are stable on the present contacts; `own_maps`: by each scheme's own map, too. */
CAIRN_API int cairn_case_stability(cairn_simulation* simulation, const char* schemes, int32_t own_maps,
                                   cairn_buffer* json);

/* The part that is done, 0 to 1, and what is being done; other than 0: stop, once the runs of the moment have ended. It
 * may come from other threads, one at a time. */
typedef int (*cairn_progress)(double done, const char* doing, void* context);

/* Advice on scheme and step: `accuracy` [-] of each collision; schemes as above; `measure`: also run against a
 * reference for `window` [s] of simulated time, 0: a tenth of the run. */
CAIRN_API int cairn_advise(const cairn_scenario* scenario, double accuracy, const char* schemes, int32_t measure,
                           double window, cairn_progress progress, void* context, cairn_buffer* json);
/* Findings and tables of a study of docs/studies.md. `scenario`: of "work-precision" alone, else null. */
CAIRN_API int cairn_study(const char* name, const char* schemes, int32_t quick, const cairn_scenario* scenario,
                          cairn_progress progress, void* context, cairn_buffer* json);
CAIRN_API int cairn_studies(cairn_buffer* json); /* their names */
/* Restitution, duration and overlap of head-on collisions at `speeds` [m/s], as `cairn restitution --json`. `pair`:
 * "A,B" or "A,wall:NAME", null: the first that can touch; `scheme`: also with this one, at `steps` per collision, or
 * null. */
CAIRN_API int cairn_restitution(const cairn_scenario* scenario, const char* pair, const double* speeds, size_t count,
                                const char* scheme, double steps, cairn_buffer* json);

#ifdef __cplusplus
}
#endif
#endif
