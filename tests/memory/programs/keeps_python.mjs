// node keeps_python.mjs MODULE COUNT SIZE: a Python script that keeps so many strings of bytes.
import { packageFile } from '../../support/tools.mjs';

const [, , , count, size] = process.argv;
const { loadPyodide } = await import(packageFile('pyodide/pyodide.mjs'));
const pyodide = await loadPyodide({ env: { PYTHONHASHSEED: '0' } });
pyodide.runPython(`kept = [bytes(${size}) for _ in range(${count})]`);
