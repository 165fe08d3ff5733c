/* Internal face of base: what the other layers of the library use and users do not see. */
#ifndef THUD_SRC_BASE_BASE_H
#define THUD_SRC_BASE_BASE_H

#include "thud/base.h"

#include <stdarg.h>

/* Marks what libthud-io uses of libthud besides the public headers: exported by a shared libthud, but no part of its
 * interface. Both libraries come from the same build (thud-io.pc asks for the very version). */
#define THUD_FOR_IO THUD_API

/* ---- failing ----------------------------------------------------------------------------------- */

/* Failures for want of memory so far: of allocations, and of what libraries need beside them. An answer that was found
 * while memory was missing is none, and questions that were asked later leave messages of their own: settle returns THUD_ERROR_MEMORY, with a message that says so, when memory
 * was missing since `failures` was asked for, otherwise the error itself. */
THUD_FOR_IO uint64_t thud_context_failures(const thud_context *context);
THUD_FOR_IO thud_error thud_context_settle(thud_context *context, uint64_t failures, thud_error error);

/* Stores the formatted message in the context (context may be NULL) and returns the error, so that a
 * function can `return thud_fail(context, THUD_ERROR_ARGUMENT, "...")`. A format may begin with the code of the message,
 * "[unknown-key] unknown key '%s'", which is not printed; without one the code is that of the error (thud_error_code). */
THUD_FOR_IO thud_error thud_fail(thud_context *context, thud_error error, const char *format, ...) THUD_PRINTF(3, 4);
/* Puts "prefix: " in front of the message that a failed inner call has left, and returns the error. */
THUD_FOR_IO thud_error thud_fail_within(thud_context *context, thud_error error, const char *format, ...)
    THUD_PRINTF(3, 4);
/* For functions that print their message themselves: the format behind its code; *code has the code, "" without one. */
enum { THUD_CODE_CAPACITY = 40 };
typedef struct thud_code {
  char text[THUD_CODE_CAPACITY];
} thud_code;
THUD_FOR_IO const char *thud_format_without_code(const char *format, thud_code *code);
/* The code of the last message; an empty one changes nothing. The message stays. Returns the error as it is. */
THUD_FOR_IO thud_code thud_context_get_code(const thud_context *context);
THUD_FOR_IO thud_error thud_fail_with_code(thud_context *context, thud_error error, thud_code code);
#ifdef __clang_analyzer__
/* The static analyser does not look into other files: this states that the error comes back as it was given. */
static inline thud_error thud_same_error(thud_error error, thud_error given_back) {
  (void)given_back;
  return error;
}
#define thud_fail(context, error, ...) thud_same_error((error), (thud_fail)((context), (error), __VA_ARGS__))
#define thud_fail_within(context, error, ...)                                                                          \
  thud_same_error((error), (thud_fail_within)((context), (error), __VA_ARGS__))
#define thud_fail_with_code(context, error, code)                                                                      \
  thud_same_error((error), (thud_fail_with_code)((context), (error), (code)))
#endif
/* Pointers that a public function needs, at its beginning: THUD_REQUIRE(context, problem, r) returns
 * THUD_ERROR_ARGUMENT
 * with a message that names the first NULL ("thud_contact_evaluate: r is NULL; it is required"). An argument may be a
 * condition: n == 0 || x. 1 to 10 of them. */
#define THUD_REQUIRE(context, ...)                                                                                     \
  do {                                                                                                                 \
    unsigned thud_missing_ = THUD_MISSING(__VA_ARGS__);                                                                \
    if (thud_missing_ != 0) return thud_fail_missing((context), __func__, #__VA_ARGS__, thud_missing_);                \
  } while (0)
/* The same for a function of an object: the message goes to the object's context. */
#define THUD_REQUIRE_OF(object, ...) THUD_REQUIRE((object) != NULL ? (object)->context : NULL, object, __VA_ARGS__)
/* The same for functions that return something other than an error: value (nothing in a void function). */
#define THUD_REQUIRE_OR(value, ...)                                                                                    \
  do {                                                                                                                 \
    if (THUD_MISSING(__VA_ARGS__) != 0) return value;                                                                  \
  } while (0)
/* Bit k: argument number k is the first that is NULL or false; those behind it are not looked at. 0: none is. */
#define THUD_MISSING(...) THUD_MISSING_PICK(__VA_ARGS__, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)(0, __VA_ARGS__)
#define THUD_MISSING_PICK(a, b, c, d, e, f, g, h, i, j, count, ...) THUD_MISSING_##count
#define THUD_MISSING_1(bit, a) ((a) ? 0U : 1U << (bit))
#define THUD_MISSING_2(bit, a, ...) ((a) ? THUD_MISSING_1((bit) + 1, __VA_ARGS__) : 1U << (bit))
#define THUD_MISSING_3(bit, a, ...) ((a) ? THUD_MISSING_2((bit) + 1, __VA_ARGS__) : 1U << (bit))
#define THUD_MISSING_4(bit, a, ...) ((a) ? THUD_MISSING_3((bit) + 1, __VA_ARGS__) : 1U << (bit))
#define THUD_MISSING_5(bit, a, ...) ((a) ? THUD_MISSING_4((bit) + 1, __VA_ARGS__) : 1U << (bit))
#define THUD_MISSING_6(bit, a, ...) ((a) ? THUD_MISSING_5((bit) + 1, __VA_ARGS__) : 1U << (bit))
#define THUD_MISSING_7(bit, a, ...) ((a) ? THUD_MISSING_6((bit) + 1, __VA_ARGS__) : 1U << (bit))
#define THUD_MISSING_8(bit, a, ...) ((a) ? THUD_MISSING_7((bit) + 1, __VA_ARGS__) : 1U << (bit))
#define THUD_MISSING_9(bit, a, ...) ((a) ? THUD_MISSING_8((bit) + 1, __VA_ARGS__) : 1U << (bit))
#define THUD_MISSING_10(bit, a, ...) ((a) ? THUD_MISSING_9((bit) + 1, __VA_ARGS__) : 1U << (bit))
/* names: the arguments as they are written, separated by commas. */
THUD_FOR_IO thud_error thud_fail_missing(thud_context *context, const char *function, const char *names,
                                         unsigned missing);
/* THUD_ERROR_INTERRUPTED with the message "what: interrupted" when the caller wants to stop. stop may be NULL. */
thud_error thud_stop_ask(thud_context *context, const thud_stop *stop, const char *what);
/* From now on this stops work that may take long and asks its context now and then; {NULL} again: nothing does. Solvers do
 * so with contexts of their own. */
void thud_context_stop_by(thud_context *context, thud_stop stop);
thud_error thud_context_ask(thud_context *context, const char *what);
void thud_log(thud_context *context, thud_log_level level, const char *format, ...) THUD_PRINTF(3, 4);

/* ---- numbers ----------------------------------------------------------------------------------- */

/* The larger of two numbers that are not NaN, without fmax's call into the library. */
/* Index of the first number of x[n] that is an infinity or not a number, n when all are finite. */
size_t thud_first_not_finite(size_t n, const double *x);
static inline double thud_larger(double a, double b) { return b > a ? b : a; }

/* ---- memory ------------------------------------------------------------------------------------ */

/* count * size bytes, zeroed; NULL on overflow or when the allocator fails (message set). count*size == 0
 * gives a valid pointer to nothing. Freed with thud_free. */
THUD_FOR_IO void *thud_alloc(thud_context *context, size_t count, size_t size);
THUD_FOR_IO void thud_free(thud_context *context, void *memory);
/* Resizes to count * size bytes keeping the content; new bytes are zeroed. On failure NULL, old block untouched. */
THUD_FOR_IO void *thud_realloc(thud_context *context, void *memory, size_t count, size_t size);
THUD_FOR_IO char *thud_strdup(thud_context *context, const char *text);
/* Exactly `length` bytes of text, which must be there, and a final 0. */
THUD_FOR_IO char *thud_strndup(thud_context *context, const char *text, size_t length);

/* Checks that the process can get this much more memory at all. For libraries that do not survive a failing malloc (HDF5 and
 * fontconfig crash, or call a sound file damaged): asked in front of their calls. Nothing is kept, no page touched. */
THUD_FOR_IO thud_error thud_need_memory(thud_context *context, const char *library, size_t mebibytes);

#define THUD_NEW(context, type) ((type *)thud_alloc((context), 1, sizeof(type)))
#define THUD_NEW_ARRAY(context, type, count) ((type *)thud_alloc((context), (size_t)(count), sizeof(type)))

/* Overflow-checked size arithmetic: false when the result does not fit, *out untouched. */
THUD_FOR_IO bool thud_size_multiply(size_t a, size_t b, size_t *out);
THUD_FOR_IO bool thud_size_add(size_t a, size_t b, size_t *out);

/* Makes room for `needed` elements in a growing array (capacity doubles, new elements are zeroed). `array` is the
 * address of the pointer to the elements, of whatever type; the elements move. On failure nothing changes. */
THUD_FOR_IO thud_error thud_array_reserve(thud_context *context, void *array, size_t *capacity, size_t needed,
                                          size_t element_size);

/* A context for the inside of an object that is made anew again and again with other sizes: blocks that are freed stay
 * with it, by sizes rounded up to powers of 2, and are handed out again, so that only what has never been needed before
 * comes from the allocator of the parent (and counts there). Logger, threads and messages are the parent's. Everything
 * allocated in it ends with it. */
thud_error thud_recycler_create(thud_context *parent, thud_context **context);
/* NULL is allowed. */
void thud_recycler_destroy(thud_context *context);

/* One context for each thread of the parent, for objects that tasks of thud_parallel_for use: contexts are used by one thread
 * at a time. Their memory comes from the parent's allocator, under a lock; their logger, stop and messages are their own. The
 * parent must not be used by a task. */
typedef struct thud_crew thud_crew;
thud_error thud_crew_create(thud_context *parent, thud_crew **crew);
/* Everything made with its contexts must have been destroyed before; NULL is allowed. */
void thud_crew_destroy(thud_crew *crew);
/* Context k, 0 <= k < thud_context_threads(parent). */
thud_context *thud_crew_context(const thud_crew *crew, int k);

/* Starts the pool of a context that was created with one thread. */
THUD_FOR_IO thud_error thud_context_start_threads(thud_context *context, int threads);

enum { THUD_MESSAGE_CAPACITY = 2048 };
/* Around a call that may leave a message: hides the present one (the answer goes to `show`); brings it back unless there is a
 * new one, and says whether there is. */
char thud_context_hide_message(thud_context *context);
bool thud_context_show_message(thud_context *context, char first);

/* Step arena: bump allocation that is given back all at once. Blocks are kept on reset, so that the second
 * pass over the same work allocates nothing. */
typedef struct thud_arena thud_arena;
THUD_FOR_IO thud_error thud_arena_create(thud_context *context, size_t block_size, thud_arena **arena);
THUD_FOR_IO void thud_arena_destroy(thud_arena *arena);
/* Zeroed memory aligned to 16 bytes; NULL on failure (message set). */
THUD_FOR_IO void *thud_arena_alloc(thud_arena *arena, size_t count, size_t size);
THUD_FOR_IO void thud_arena_reset(thud_arena *arena);

/* ---- text -------------------------------------------------------------------------------------- */

/* The candidate that a person most likely meant (edit distance with transpositions, case ignored, at most a third of
 * the word's length rounded up), the first of several equally near, or NULL. candidates is NULL-terminated when count
 * is SIZE_MAX. */
THUD_FOR_IO const char *thud_suggest(const char *word, const char *const *candidates, size_t count);
/* Ending of a noun of which there are `count`: "" or "s". */
THUD_FOR_IO const char *thud_plural(size_t count);
enum { THUD_DOUBLE_CAPACITY = 32 }; /* room for any double as text, with the final 0 */
/* Short decimal text that reads back as the same double (15 digits when they do, else 16 or 17), whatever the locale;
 * "null" for NaN and infinities. */
THUD_FOR_IO void thud_format_double(double value, char *buffer, size_t capacity);
/* The same with a fixed number of significant digits, 1..17 (%.*g). */
THUD_FOR_IO void thud_format_digits(double value, int digits, char *buffer, size_t capacity);
/* Reads a finite decimal number that fills the whole text, whatever the locale; no hexadecimal, blanks, inf or nan.
 * Numbers too small for a double read as 0. *value is untouched on false. */
THUD_FOR_IO bool thud_parse_double(const char *text, double *value);

/* ---- threads ----------------------------------------------------------------------------------- */

/* Runs task(user, k) for k = 0..count-1 on the context's threads and waits. Which thread runs which k is not
 * fixed: tasks must write to places of their own, and neither allocate from the context nor fail in it (thud_fail).
 * A call from inside a task runs its own tasks one after the other. */
typedef void (*thud_task_fn)(void *user, size_t k);
THUD_FOR_IO void thud_parallel_for(thud_context *context, size_t count, thud_task_fn task, void *user);

#endif
