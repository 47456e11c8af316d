// Maps, sorting, text and numbers.
class Item {
  constructor(public name: string, public size: f64) {}
}

abstract class Shape {
  abstract area(): f64;
}
class Circle extends Shape {
  constructor(private r: f64) { super(); }
  area(): f64 { return Math.PI * this.r * this.r; }
}
class Box extends Shape {
  constructor(private w: f64, private h: f64) { super(); }
  area(): f64 { return this.w * this.h; }
}

export function run(count: i32): string {
  const items: Item[] = [];
  const sizes = new Map<string, f64>();
  for (let i = 0; i < count; i++) {
    const item = new Item("n" + (i * 7919 % 100).toString(), <f64>i * 1.25);
    items.push(item);
    sizes.set(item.name, item.size + (sizes.has(item.name) ? sizes.get(item.name) : 0.0));
  }
  items.sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : <i32>(a.size - b.size));
  const keys = sizes.keys().sort();
  let text = "";
  for (let i = 0; i < keys.length; i++) text += keys[i].padStart(5, "0") + "=" + sizes.get(keys[i]).toString() + ";";
  const parts = text.split(";").map<string>((part) => part.toUpperCase()).filter((part) => part.includes("7"));
  const shapes: Shape[] = [new Circle(1), new Box(2, 3)];
  let sum = shapes.reduce<f64>((total, shape) => total + shape.area(), 0);
  const seen = new Set<i32>();
  for (let i = 0; i < 100; i++) seen.add(i * i % 37);
  sum += Math.sin(sum) + Math.pow(sum, 0.5) + <f64>seen.size + parseFloat("1.5e2") + <f64>parseInt("ff", 16);
  const bytes = new Uint8Array(16);
  for (let i = 0; i < 16; i++) bytes[i] = <u8>(i * 31);
  return parts.join(",") + sum.toString() + bytes.toString() + text.indexOf("n5=").toString();
}
