// AssemblyScript: classes, generics, callbacks, strings and garbage; a WASI command.

// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "fd_write")
declare function fd_write(fd: u32, vectors: usize, count: u32, written: usize): u32;

const vector = memory.data(16);

function print(text: string): void {
  const utf8 = String.UTF8.encode(text + "\n");
  store<usize>(vector, changetype<usize>(utf8));
  store<u32>(vector, utf8.byteLength, 4);
  fd_write(1, vector, 1, vector + 8);
}

abstract class Rule {
  abstract lives(alive: bool, neighbours: i32): bool;
}

class Conway extends Rule {
  lives(alive: bool, neighbours: i32): bool {
    return neighbours == 3 || (alive && neighbours == 2);
  }
}

class HighLife extends Conway {
  lives(alive: bool, neighbours: i32): bool {
    return super.lives(alive, neighbours) || (!alive && neighbours == 6);
  }
}

class Grid<T extends Rule> {
  cells: StaticArray<bool>;
  constructor(public size: i32, public rule: T) {
    this.cells = new StaticArray<bool>(size * size);
  }
  at(x: i32, y: i32): i32 {
    const size = this.size;
    return this.cells[((y + size) % size) * size + ((x + size) % size)] ? 1 : 0;
  }
  neighbours(x: i32, y: i32): i32 {
    let sum = -this.at(x, y);
    for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) sum += this.at(x + dx, y + dy);
    return sum;
  }
  step(): void {
    const next = new StaticArray<bool>(this.cells.length);
    for (let y = 0; y < this.size; y++) {
      for (let x = 0; x < this.size; x++) {
        next[y * this.size + x] = this.rule.lives(this.at(x, y) == 1, this.neighbours(x, y));
      }
    }
    this.cells = next;
  }
}

function fill<T extends Rule>(grid: Grid<T>): void {
  for (let i = 0; i < grid.cells.length; i++) grid.cells[i] = (i * 7919) % 5 < 2;
}

function show<T extends Rule>(grid: Grid<T>): string {
  let text = "";
  for (let y = 0; y < grid.size; y++) {
    for (let x = 0; x < grid.size; x++) text += grid.at(x, y) ? "#" : ".";
    text += "/";
  }
  return text;
}

export function _start(): void {
  const conway = new Grid<Conway>(10, new Conway());
  const high = new Grid<Rule>(8, new HighLife());
  fill(conway);
  fill(high);
  for (let i = 0; i < 2; i++) {
    conway.step();
    high.step();
  }
  print(show(conway));
  print(show(high));
  const numbers = new Array<i32>();
  for (let i = 0; i < 100; i++) numbers.push((i * 7919) % 101);
  numbers.sort((a, b) => b - a);
  print(numbers.filter((n) => n % 7 == 0).map<string>((n) => n.toString()).join(" "));
}
