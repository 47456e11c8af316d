// Keeps blocks, and makes garbage.
class Block {
  a: f64; b: f64; c: f64; d: f64; next: Block | null;
}

let kept: Block | null = null;
let seen: i32 = 0;
let work: (count: i32) => void = keep; // or the compiler makes one function of all

function keep(count: i32): void {
  for (let i = 0; i < count; i++) {
    const block = new Block();
    block.next = kept;
    kept = block;
  }
}

function spoil(count: i32): void {
  for (let i = 0; i < count; i++) seen += new Uint8Array(64).length;
}

export function _start(): void {
  work(1000);
  work = spoil;
  work(500);
  __collect();
}
