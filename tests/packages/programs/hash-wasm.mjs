import { argon2id, blake3, sha3 } from 'hash-wasm';
const salt = new Uint8Array(16).fill(1);
console.log(await blake3('twenty'), await sha3('packages'));
console.log(await argon2id({ password: 'p', salt, parallelism: 1, iterations: 2, memorySize: 512, hashLength: 32, outputType: 'hex' }));
