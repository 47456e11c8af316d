import { init } from 'z3-solver';
const { Context } = await init();
const { Solver, Int } = new Context('main');
const [x, y] = [Int.const('x'), Int.const('y')];
const solver = new Solver();
solver.add(x.add(y).eq(10), x.sub(y).eq(4));
console.log(await solver.check(), solver.model().eval(x).toString(), solver.model().eval(y).toString());
process.exit(0); // its threads wait for ever
