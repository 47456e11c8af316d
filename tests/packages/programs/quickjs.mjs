import { getQuickJS } from 'quickjs-emscripten';
const quickjs = await getQuickJS();
console.log(quickjs.evalCode('const f = (n) => n < 2 ? n : f(n - 1) + f(n - 2); f(18)'));
