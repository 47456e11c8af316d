// Python functions that call each other, run by CPython as WebAssembly.
import { loadPyodide } from 'pyodide';

const python = await loadPyodide();
console.log(python.runPython(`
import json, re

class Parser:
    def __init__(self, text):
        self.tokens = re.findall(r"[0-9]+|[-+*()]", text)

    def expression(self):
        value = self.term()
        while self.tokens and self.tokens[0] in "+-":
            value = value + self.term() if self.tokens.pop(0) == "+" else value - self.term()
        return value

    def term(self):
        value = self.factor()
        while self.tokens and self.tokens[0] == "*":
            self.tokens.pop(0)
            value = value * self.factor() % 1000003
        return value

    def factor(self):
        token = self.tokens.pop(0)
        if token != "(":
            return int(token)
        value = self.expression()
        self.tokens.pop(0)
        return value

def source(depth):
    return "7" if depth == 0 else f"({source(depth - 1)} + {depth}) * 3 - {source(depth - 1)}"

json.dumps([Parser(source(depth)).expression() for depth in range(12)])
`));
