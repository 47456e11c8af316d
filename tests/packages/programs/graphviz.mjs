import { Graphviz } from '@hpcc-js/wasm-graphviz';
const graphviz = await Graphviz.load();
console.log(graphviz.dot(`digraph { ${Array.from({ length: 30 }, (_, i) => `n${i} -> n${(i * 7) % 30};`).join(' ')} }`).length);
