/*
 * Signatures recognise library functions by their code in any module, without another build of it.
 * A file of signatures is text, with one line per name, sorted by names:
 *
 *     wasm-perf signatures 1
 *     memchr<TAB>0123456789ab fedcba987654
 *
 * Each name is followed by the keys of the codes that compilers made of the function.
 */
#ifndef WI_SYMBOLS_SIGNATURES_H_
#define WI_SYMBOLS_SIGNATURES_H_

#include "match/features.h"
#include "symbols/namings.h"

#define WI_SIGNATURES_START "wasm-perf signatures 1\n"

typedef struct wi_signature {
  uint64_t key;
  uint32_t name; /* offset in `text`, ended by NUL */
} wi_signature;

/* Zero it before use; clear it afterwards. */
typedef struct wi_signatures {
  WI_ARRAY(wi_signature, items); /* sorted by key */
  wi_buffer text;
} wi_signatures;

/* Confidence in a name from a signature. */
#define WI_SIGNATURE_CONFIDENCE 0.99f

/* Longest name, in bytes. */
enum { WI_SIGNATURE_NAME_SIZE = 200 };

/*
 * The key of a function, from features of wi_features_collect_library. It covers the code of a long
 * function, and that of a short one together with its callees. 0 if there is too little code.
 */
uint64_t wi_signature_key(const wi_features *features, uint32_t function);

/* Whether the bytes begin like a file of signatures. */
bool wi_signatures_are(const uint8_t *bytes, size_t size);

/* Adds signatures from a file. False with *error filled in if it is malformed or memory ran out. */
bool wi_signatures_read(wi_signatures *signatures, const uint8_t *bytes, size_t size,
                        wi_error *error);

/* Adds the built-in signatures. Returns false with *error filled in if memory ran out. */
bool wi_signatures_read_known(wi_signatures *signatures, wi_error *error);

void wi_signatures_clear(wi_signatures *signatures);

/*
 * Names functions that have no name in `own`, the module's names, and none in *namings. Functions
 * with the same code get no name. Returns false with *error filled in if a body is unreadable or
 * memory ran out.
 */
bool wi_signatures_name(const wi_signatures *signatures, wi_namings *namings, wi_names *own,
                        wi_error *error);

#endif /* WI_SYMBOLS_SIGNATURES_H_ */
