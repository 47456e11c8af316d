/**
 * Makes untrusted text, such as a name in a module, one line that is safe on a terminal: escapes the
 * characters of src/support/unsafe_characters.def as \u{1b}.
 */
export const clean = (text) =>
  String(text).replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\p{Surrogate}]/gu,
    (character) => `\\u{${character.codePointAt(0).toString(16)}}`,
  );

const encoder = new TextEncoder();

/** Encodes a text for a profile file. NUL is not allowed there and becomes U+FFFD. */
export const encodeText = (text) => encoder.encode(String(text).replaceAll('\0', '\uFFFD'));
