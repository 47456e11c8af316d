/* Lua includes it; what it would use is defined away. */
