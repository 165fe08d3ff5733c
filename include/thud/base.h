/* thud/base.h: context, errors, options, random numbers, time, regulated functions, ordered reductions.
 *
 * Every other layer of thud is built on what is declared here. Rules that hold for the whole library:
 *  - A call returns a thud_error; on anything but THUD_OK its outputs are untouched and
 *    thud_context_last_message() says what was wrong, where, and how to fix it.
 *  - A pointer is required unless the comment says that it may be NULL; arrays of length 0 may be. A NULL where a
 *    pointer is required is THUD_ERROR_ARGUMENT and the message names it; functions that return no error do nothing and
 *    return 0, NaN, NULL or false. NULL may be destroyed.
 *  - The library never prints, never exits and keeps no mutable globals.
 *  - A context, and every object made with it, is used by one thread at a time; the library
 *    itself spreads work over `threads` threads of the context's own pool, with bit-identical results. */
#ifndef THUD_BASE_H
#define THUD_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define THUD_API __attribute__((visibility("default")))
#define THUD_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define THUD_API
#define THUD_PRINTF(format_index, first_index)
#endif

#define THUD_VERSION_MAJOR 0
#define THUD_VERSION_MINOR 1
#define THUD_VERSION_PATCH 0
#define THUD_VERSION "0.1.0"

/* Version of the library that is linked, as opposed to THUD_VERSION of the header. */
THUD_API const char *thud_version(void);

/* Index of a thing held by one process (row, contact, body). */
typedef int32_t thud_index;

/* ---- errors ---------------------------------------------------------------------------------- */

/* X(name, number, text): one table for the enum, thud_error_name() and thud_error_text(). */
#define THUD_ERROR_TABLE(X)                                                                                            \
  X(THUD_OK, 0, "no error")                                                                                            \
  X(THUD_ERROR_MEMORY, 1, "out of memory")                                                                             \
  X(THUD_ERROR_ARGUMENT, 2, "invalid argument")                                                                        \
  X(THUD_ERROR_DIMENSION, 3, "dimensions do not match")                                                                \
  X(THUD_ERROR_OVERFLOW, 4, "a size is too large")                                                                     \
  X(THUD_ERROR_NOT_FINITE, 5, "a number is NaN or infinite where a finite one is needed")                              \
  X(THUD_ERROR_NOT_SPD, 6, "a matrix is not symmetric positive definite")                                              \
  X(THUD_ERROR_SINGULAR, 7, "a matrix is singular")                                                                    \
  X(THUD_ERROR_EMPTY_SET, 8, "a convex set is empty")                                                                  \
  X(THUD_ERROR_UNQUALIFIED, 9, "constraints are positively dependent")                                                 \
  X(THUD_ERROR_UNSUPPORTED, 10, "not supported")                                                                       \
  X(THUD_ERROR_NOT_CONVERGED, 11, "an iteration did not converge")                                                     \
  X(THUD_ERROR_CALLBACK, 12, "a user callback reported a failure")                                                     \
  X(THUD_ERROR_SYNTAX, 13, "text cannot be parsed")                                                                    \
  X(THUD_ERROR_SCHEMA, 14, "a scene does not follow the schema")                                                       \
  X(THUD_ERROR_FILE, 15, "a file cannot be opened, read or written")                                                   \
  X(THUD_ERROR_FORMAT, 16, "a file's content is damaged or of another kind")                                           \
  X(THUD_ERROR_EXISTS, 17, "a file exists already")                                                                    \
  X(THUD_ERROR_NOT_FOUND, 18, "a name is not there")                                                                   \
  X(THUD_ERROR_INTERRUPTED, 19, "interrupted")                                                                         \
  X(THUD_ERROR_INTERNAL, 20, "internal error")

typedef enum thud_error {
#define THUD_ERROR_ENUM(name, number, text) name = number,
  THUD_ERROR_TABLE(THUD_ERROR_ENUM)
#undef THUD_ERROR_ENUM
} thud_error;

/* "THUD_ERROR_MEMORY"; "unknown error" for a number outside the table. */
THUD_API const char *thud_error_name(thud_error error);
/* One plain sentence without a full stop. */
THUD_API const char *thud_error_text(thud_error error);
/* The code of failures that have no code of their own: "memory", "not-found" ...; "" for THUD_OK. */
THUD_API const char *thud_error_code(thud_error error);

/* ---- context --------------------------------------------------------------------------------- */

/* Allocator after Lua's: ptr == NULL allocates, new_size == 0 frees (and returns NULL), otherwise resizes.
 * Returns memory aligned for any C type, or NULL on failure (the old block then stays valid). */
typedef void *(*thud_allocator_fn)(void *user, void *ptr, size_t old_size, size_t new_size);

typedef enum thud_log_level { THUD_LOG_DEBUG = 0, THUD_LOG_INFO = 1, THUD_LOG_WARNING = 2 } thud_log_level;
typedef void (*thud_logger_fn)(void *user, thud_log_level level, const char *message);

typedef struct thud_context_options {
  size_t size;                 /* sizeof(thud_context_options), set by the default function */
  thud_allocator_fn allocator; /* NULL: the C library's */
  void *allocator_user;
  thud_logger_fn logger; /* NULL: messages are dropped */
  void *logger_user;
  int threads; /* worker threads including the caller, 1..256; results do not depend on it */
} thud_context_options;

typedef struct thud_context thud_context;

/* options may be NULL: the defaults. THUD_ERROR_ARGUMENT: the size field or the number of threads is wrong; THUD_ERROR_MEMORY: no
 * memory, or the system refuses the threads. */
THUD_API thud_error thud_context_create(const thud_context_options *options, thud_context **context);
/* Every object made with the context must have been destroyed before. NULL is allowed. */
THUD_API void thud_context_destroy(thud_context *context);
/* Detail of the last failed call ("" when none failed). Valid until the next call. */
THUD_API const char *thud_context_last_message(const thud_context *context);
/* The code of that message, a word that stays the same from version to version: "unknown-key" (thud_explain says more). "" when no
 * call failed. Valid until the next call. */
THUD_API const char *thud_context_last_code(const thud_context *context);
THUD_API int thud_context_threads(const thud_context *context);
/* Allocations made through the context's allocator so far (growth counts), and blocks still alive. */
THUD_API uint64_t thud_context_allocation_count(const thud_context *context);
THUD_API uint64_t thud_context_live_blocks(const thud_context *context);

/* Asked now and then by work that may take long: anything but 0 ends the call with THUD_ERROR_INTERRUPTED, its outputs
 * untouched. */
typedef struct thud_stop {
  int (*ask)(void *user); /* NULL: never */
  void *user;
} thud_stop;

/* ---- options: one key table per options struct ------------------------------------------------ */

typedef enum thud_option_type {
  THUD_OPTION_BOOL,  /* field: bool */
  THUD_OPTION_INT,   /* field: int */
  THUD_OPTION_REAL,  /* field: double */
  THUD_OPTION_CHOICE /* field: int, an index into choices */
} thud_option_type;

typedef struct thud_option_key {
  const char *name; /* as written in scenes and, with dashes, on the command line */
  thud_option_type type;
  size_t offset;              /* offsetof the field */
  double default_value;       /* for CHOICE the index */
  double minimum, maximum;    /* inclusive; -INFINITY and INFINITY when unbounded (the value itself must be finite,
                                 unless default_value is infinite) */
  bool minimum_open;          /* true: the minimum itself is not allowed (step > 0) */
  const char *const *choices; /* NULL-terminated, CHOICE only */
  const char *unit;           /* "s", "1", "m/s" ... */
  const char *help;           /* one line */
} thud_option_key;

typedef struct thud_option_table thud_option_table;

/* Options that are a field of other options. */
typedef struct thud_option_part {
  size_t offset;                           /* offsetof the field */
  const thud_option_table *(*table)(void); /* of the options in it */
} thud_option_part;

struct thud_option_table {
  const char *name;   /* what the options are for, used in messages */
  size_t struct_size; /* sizeof the options struct, whose first field is size_t size */
  const thud_option_key *keys;
  size_t count;
  const void *fixed; /* a struct that holds the defaults of fields without a key; NULL: they are 0 */
  const thud_option_part *parts;
  size_t part_count;
};

/* Room for fields of later versions, always 0: structs that callers allocate or hold by value keep their size. */
#define THUD_RESERVED(words) uint64_t reserved[words]

/* Options can grow: later versions append fields. `size` says how many bytes the caller knows; fields beyond take their
 * defaults. The default functions are compiled with the caller, so they write no more than the caller has. */
#define THUD_OPTIONS_DEFAULT(type, table)                                                                              \
  static inline type type##_default(void) {                                                                            \
    type options;                                                                                                      \
    thud_options_init(table(), &options, sizeof options);                                                              \
    return options;                                                                                                    \
  }

/* Fills the first `size` bytes of the struct with the defaults, and its size field. */
THUD_API void thud_options_init(const thud_option_table *table, void *options, size_t size);
/* *own (table->struct_size bytes) = the options that are given, with defaults where they are shorter, or all defaults
 * for NULL; sizes and ranges are checked. A larger size than this library knows is an error. */
THUD_API thud_error thud_options_take(thud_context *context, const thud_option_table *table, const void *given,
                                      void *own);
THUD_API const thud_option_key *thud_options_find(const thud_option_table *table, const char *name);
/* The value of a key as a number: of a choice its index, of a flag 0 or 1. */
THUD_API double thud_options_get_number(const thud_option_key *key, const void *options);
/* Sets one key from a number or from text; range and type are checked. */
THUD_API thud_error thud_options_set_number(thud_context *context, const thud_option_table *table, void *options,
                                            const char *name, double value);
THUD_API thud_error thud_options_set_text(thud_context *context, const thud_option_table *table, void *options,
                                          const char *name, const char *text);
/* Checks the size field, which must be table->struct_size, and every range, in parts as well. */
THUD_API thud_error thud_options_check(thud_context *context, const thud_option_table *table, const void *options);
/* The value of a key as text ("0.5", "true", "canonical"); buffer receives at most capacity bytes with the final 0. */
THUD_API void thud_options_format(const thud_option_key *key, const void *options, char *buffer, size_t capacity);

/* The table of the keys of contexts (static), and their defaults: the C library's allocator, no logger, one thread. */
THUD_API const thud_option_table *thud_context_option_table(void);
THUD_OPTIONS_DEFAULT(thud_context_options, thud_context_option_table)

/* ---- random numbers: xoshiro256**, the same sequence on every machine -------------------------- */

typedef struct thud_random {
  uint64_t state[4];
} thud_random;

/* A generator from a seed; the same seed gives the same numbers. Then 64 random bits (0 for NULL). */
THUD_API thud_random thud_random_seed(uint64_t seed);
THUD_API uint64_t thud_random_bits(thud_random *random);
/* Uniform in [low, high[, both finite, low <= high (low when they are equal). */
THUD_API double thud_random_uniform(thud_random *random, double low, double high);
/* Standard normal (polar method). */
THUD_API double thud_random_normal(thud_random *random);
/* Uniform in 0..count-1; count >= 1. */
THUD_API uint32_t thud_random_below(thud_random *random, uint32_t count);

/* ---- time ------------------------------------------------------------------------------------- */

/* Seconds of a monotonic clock; only differences have a meaning. */
THUD_API double thud_seconds(void);

/* ---- regulated functions ----------------------------------------------------------------------- */

/* A regulated function has a value, a left limit and a right limit at every time; the three may all differ
 * at countably many times (jumps). Data of sweeping processes and reactions of dynamics are of this kind. */
typedef enum thud_side { THUD_SIDE_LEFT = -1, THUD_SIDE_VALUE = 0, THUD_SIDE_RIGHT = 1 } thud_side;

/* 0: ok; > 0: recoverable (shorten the step); < 0: abort. */
typedef int (*thud_regulated_fn)(void *user, double t, thud_side side, double *out);

typedef struct thud_regulated {
  thud_index dimension; /* number of components written to out */
  thud_regulated_fn evaluate;
  void *user;
  size_t jump_count;
  bool may_be_infinite; /* infinities stand for absent bounds and are handed on; NaN never is */
  const double *jumps;  /* [jump_count] strictly increasing times at which the sides may differ; borrowed */
} thud_regulated;

/* Calls evaluate and checks its status and that every component is finite (or infinite where allowed). On failure the
 * content of out is undefined (the one exception to the rule above: the callback writes there itself). */
THUD_API thud_error thud_regulated_evaluate(thud_context *context, const thud_regulated *function, double t,
                                            thud_side side, double *out);
/* True when t is one of the declared jump times, bit for bit. */
THUD_API bool thud_regulated_jumps_at(const thud_regulated *function, double t);

/* Piecewise polynomial function with jumps, the regulated function of tables and tests.
 * Piece k (k = 0..breaks) lives on ]break[k-1], break[k][ (the outer two are unbounded) and is
 *   f_c(t) = sum_d coefficient[(k*dimension + c)*(degree+1) + d] (t - origin_k)^d,
 * origin_k = break[k-1], and origin_0 = break[0] (0 without breaks). The value at break[k] is values[k*dimension + c].
 */
typedef struct thud_piecewise thud_piecewise;

/* The arrays are copied: break_times[breaks] strictly increasing, coefficients and values as above; break_times and
 * values
 * may be NULL without breaks. THUD_ERROR_ARGUMENT, THUD_ERROR_NOT_FINITE name the entry. NULL may be destroyed. */
THUD_API thud_error thud_piecewise_create(thud_context *context, thud_index dimension, thud_index degree,
                                          thud_index breaks, const double *break_times, const double *coefficients,
                                          const double *values, thud_piecewise **piecewise);
THUD_API void thud_piecewise_destroy(thud_piecewise *piecewise);
/* A view that borrows from the piecewise function. */
THUD_API thud_regulated thud_piecewise_function(const thud_piecewise *piecewise);

/* ---- ordered reductions ------------------------------------------------------------------------ */

/* The order of summation depends on n alone (blocks of fixed length, then a binary tree), never on the number
 * of threads: the results are the same bits on 1..N threads. context may be NULL: one thread. */
THUD_API double thud_sum(thud_context *context, size_t n, const double *x);
THUD_API double thud_dot(thud_context *context, size_t n, const double *x, const double *y);
/* Euclidean norm, scaled so that it neither overflows nor underflows. */
THUD_API double thud_norm2(thud_context *context, size_t n, const double *x);
/* max |x_i| (0 when n = 0) and, when where is not NULL, the first index that attains it. NaN wins over numbers. */
THUD_API double thud_norm_max(thud_context *context, size_t n, const double *x, size_t *where);

#ifdef __cplusplus
}
#endif
#endif
