/* Runs a script that uses most of the libraries; not coroutines, which need longjmp. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

static const char script[] =
    "local words = {}\n"
    "for i = 1, 300 do words[i] = string.format('%05d-%s', i * 7919 % 1000, ('x'):rep(i % 13)) "
    "end\n"
    "table.sort(words)\n"
    "local text = table.concat(words, ' ')\n"
    "local count = 0\n"
    "for word in text:gmatch('%d+%-x+') do count = count + #word:gsub('x', 'yy') end\n"
    "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n"
    "local list = setmetatable({}, {__index = function(t, k) return k * 2 end})\n"
    "for i = 1, 200 do count = count + list[i] end\n"
    "local f = load('return ' .. table.concat({1, 2, 3}, '+'))\n"
    "print(count, fib(18), f(), math.floor(math.sin(1) * 1e6), utf8.char(228, 8364), "
    "#string.pack('i4z', 1, 'a'))\n"
    "collectgarbage()\n";

FILE *tmpfile(void) {
  return NULL;
}

int main(void) {
  lua_State *state = luaL_newstate();
  luaL_openlibs(state);
  if (luaL_dostring(state, script) != LUA_OK)
    puts(lua_tostring(state, -1));
  lua_close(state);
  return 0;
}
