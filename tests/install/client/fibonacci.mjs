// A program with nothing but a module, for what is installed to profile.
const module =
  'AGFzbQEAAAABBgFgAX8BfwMCAQAHBwEDZmliAAAKHgEcACAAQQJJBH8gAAUgAEEBaxAAIABBAmsQAGoLCwASBG5hbWUBBgEAA2ZpYgIDAQAA';
const { instance } = await WebAssembly.instantiate(Buffer.from(module, 'base64'));
console.log(instance.exports.fib(25));
