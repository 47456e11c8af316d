/**
 * Text of others (names in modules, messages of engines) as one line that a terminal can show: the
 * characters of src/support/unsafe_characters.def as \u{1b}.
 */
export const clean = (text) =>
  String(text).replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\p{Surrogate}]/gu,
    (character) => `\\u{${character.codePointAt(0).toString(16)}}`,
  );

const encoder = new TextEncoder();

/** The bytes of a text in a profile file, where none holds a NUL: it becomes U+FFFD. */
export const encodeText = (text) => encoder.encode(String(text).replaceAll('\0', '\uFFFD'));
