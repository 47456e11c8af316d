import init, { transform } from 'lightningcss-wasm';
await init();
const code = Buffer.from('.a { color: rgb(255 0 0 / 50%); & .b { margin: 0px 0px 0px 0px } }\n'.repeat(20));
console.log(transform({ filename: 'a.css', code, minify: true, targets: { chrome: 90 << 16 } }).code.toString());
