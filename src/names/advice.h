/* What to do about modules without names, for messages and reports. */
#ifndef WI_NAMES_ADVICE_H_
#define WI_NAMES_ADVICE_H_

#define WI_KEEP_NAMES "If clang ran wasm-opt, compile and link in two commands"

#endif /* WI_NAMES_ADVICE_H_ */
