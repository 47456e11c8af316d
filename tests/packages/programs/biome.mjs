import { Biome } from '@biomejs/js-api/nodejs';
const biome = new Biome();
const { projectKey } = biome.openProject();
console.log(biome.formatContent(projectKey, 'function f( a,b ){return a+  b}', { filePath: 'a.js' }).content);
