/**
 * Loads modules of Node on demand. Each takes milliseconds to load, and only few programs need them, or need
 * them late.
 */

import { createRequire } from 'node:module';

/** Saved before the program can replace it; Node 18 does not have it. */
const { getBuiltinModule = createRequire(import.meta.url) } = process;

/** Returns a module of Node, and loads it if necessary. */
export const builtin = (name) => getBuiltinModule(name);

/**
 * Identifies a module by 32 hexadecimal digits, from all of its bytes. GMAC takes a tenth of the time of SHA-256. Whoever
 * does not know the secret cannot make two modules with one key; the tag itself is not shown.
 *
 * @param {Uint8Array} bytes
 * @param {string} secret 32 hexadecimal digits
 */
export function keyOfModule(bytes, secret) {
  const { createCipheriv } = builtin('node:crypto');
  const cipher = createCipheriv('aes-128-gcm', Buffer.from(secret, 'hex'), Buffer.alloc(12));
  cipher.setAAD(bytes);
  cipher.final();
  return hashOf(cipher.getAuthTag());
}

/** Identifies bytes or a text by 32 hexadecimal digits. */
export const hashOf = (bytes) => builtin('node:crypto').createHash('sha256').update(bytes).digest('hex').slice(0, 32);
