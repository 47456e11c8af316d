import { compress, decompress, init } from '@bokuweb/zstd-wasm';
await init();
const text = Buffer.from(Array.from({ length: 5000 }, (_, i) => `line ${i * i % 97}`).join('\n'));
const packed = compress(text, 9);
console.log(packed.length, Buffer.from(decompress(packed)).equals(text));
