import type { InstrumentOptions } from './options';

export type { InstrumentOptions } from './options';

export interface Instrumented {
  /** The new module. */
  bytes: Uint8Array;
  /** What was dropped or looks wrong, a line each. */
  warnings: string[];
}

/** A module that cannot be instrumented; the message says where and why. */
export class InstrumentError extends Error {}

/**
 * Instruments a module: the bytes are those that the command `wasm-instrument` makes with the same
 * options. In the main thread of a page call `ready` first, or `instrumentAsync`.
 *
 * @throws {InstrumentError} where the module is no good
 * @throws {TypeError} where an option is
 */
export function instrument(bytes: BufferSource, options?: InstrumentOptions): Instrumented;

/** Loads what `instrument` needs, where files cannot be read at once. */
export function ready(): Promise<void>;

/** The same as `instrument`, wherever it runs. */
export function instrumentAsync(bytes: BufferSource, options?: InstrumentOptions): Promise<Instrumented>;
