/** The profile of a page, since the script ran. */
export interface PageProfile {
  /** Names of the profiled modules. */
  readonly moduleNames: string[];
  readonly isStopped: boolean;
  /** Number of calls so far. */
  countCalls(): bigint;
  /** Restarts from zero. */
  start(): void;
  /** Freezes the profiles. */
  stop(): void;
  /** Returns a .wperf file for each module. */
  profiles(): { name: string; bytes: Uint8Array }[];
  /** Like profiles(), including the workers that load the script. */
  collect(): Promise<{ name: string; bytes: Uint8Array }[]>;
  /** Returns one profile of several modules; each module has a frame. */
  join(profiles: { name: string; bytes: Uint8Array }[]): { name: string; bytes: Uint8Array };
  /**
   * Counts the calls of all threads. Workers that do not answer contribute their last known count; `lateCount`
   * is their number.
   */
  countAll(): Promise<{ calls: bigint; lateCount: number }>;
  startAll(): Promise<void>;
  stopAll(): Promise<void>;
  /** Returns the report of a profile; `format` as in `wasm-perf report`, default 'html'. */
  report(profile: { name: string; bytes: Uint8Array }, format?: string): Uint8Array;
  /** Removes the patch from WebAssembly. */
  uninstall(): void;
}

/** The global `wasmPerf`. */
export const wasmPerf: PageProfile;

declare global {
  var wasmPerf: PageProfile;
}
