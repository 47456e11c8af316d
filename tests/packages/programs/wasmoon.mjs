import { LuaFactory } from 'wasmoon';
const lua = await new LuaFactory().createEngine();
console.log(await lua.doString('local t = {} for i = 1, 500 do t[i] = (i * 37) % 101 end table.sort(t) return table.concat(t, ",")'));
