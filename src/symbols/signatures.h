/*
 * Functions of libraries, known by their code: a name for each in any module, without another build
 * of it. The file that keeps them is text, a line for each name:
 *
 *     wasm-perf signatures 1
 *     memchr<TAB>0123456789ab fedcba987654
 *
 * in order of names, each with the keys of the code that compilers made of the function.
 */
#ifndef WI_SYMBOLS_SIGNATURES_H_
#define WI_SYMBOLS_SIGNATURES_H_

#include "symbols/features.h"
#include "symbols/namings.h"

#define WI_SIGNATURES_START "wasm-perf signatures 1\n"

typedef struct wi_signature {
  uint64_t key;
  uint32_t name; /* where it begins in the text, ended by NUL */
} wi_signature;

/* Zero it before, clear it after. */
typedef struct wi_signatures {
  WI_ARRAY(wi_signature, items); /* in order of keys */
  wi_buffer text;
} wi_signatures;

/* How sure a name is that a signature gives. */
#define WI_SIGNATURE_CONFIDENCE 0.99f

/* The largest name that is kept, in bytes. */
enum { WI_SIGNATURE_NAME_SIZE = 200 };

/*
 * The key of a function among those of wi_features_collect_library: of its code alone where there
 * is much of it, else with that of the functions that it calls. 0: too little to be told by.
 */
uint64_t wi_signature_key(const wi_features *features, uint32_t function);

/* Whether the bytes are a file of signatures, by how they begin. */
bool wi_signatures_are(const uint8_t *bytes, size_t size);

/* Adds those of a file. False, with *error filled in, where it is damaged or memory ran out. */
bool wi_signatures_read(wi_signatures *signatures, const uint8_t *bytes, size_t size,
                        wi_error *error);

/* Adds the ones that come with the tool. False when memory ran out. */
bool wi_signatures_read_known(wi_signatures *signatures, wi_error *error);

void wi_signatures_clear(wi_signatures *signatures);

/*
 * Names functions that have no name yet, neither in `own`, the module's names, nor in *namings. Of
 * functions with the same code none gets a name. False, with *error filled in, where a body cannot
 * be read or memory ran out.
 */
bool wi_signatures_name(const wi_signatures *signatures, wi_namings *namings, wi_names *own,
                        wi_error *error);

#endif /* WI_SYMBOLS_SIGNATURES_H_ */
