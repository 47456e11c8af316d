// Whether this engine accepts a module: {accepted, reason}.
import { readFileSync } from 'node:fs';

const bytes = readFileSync(process.argv[2]);
let reason = '';
try {
  new WebAssembly.Module(bytes);
} catch (error) {
  reason = error.message;
}
console.log(JSON.stringify({ accepted: reason === '', reason }));
if (reason) console.error(reason);
