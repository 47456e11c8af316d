/** A small generator of random numbers that gives the same sequence everywhere (mulberry32). */
export class Random {
  #state;

  constructor(...seeds) {
    this.#state = 0;
    for (const seed of seeds) this.#state = (Math.imul(this.#state ^ seed, 0x9e3779b1) + seed) | 0;
  }

  u32() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  below(limit) {
    return this.u32() % limit;
  }

  chance(percent) {
    return this.below(100) < percent;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** Bytes of which `odd` percent are made odd: an odd one tells wasm-smith to make one more. */
  bytes(count, odd) {
    return Buffer.from(Array.from({ length: count }, () => this.u32() | this.chance(odd)));
  }
}
