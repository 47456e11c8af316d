import { loadPyodide } from 'pyodide';
const python = await loadPyodide();
python.runPython(`import json\nprint(json.dumps({"squares": [i * i for i in range(${200 * Number(process.argv[2] ?? 1)})]}))`);
