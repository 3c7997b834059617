// Values hands in the browser by the same program that the site runs: Python compiled to WebAssembly, kept on the device.
import { loadPyodide } from "{{ python }}pyodide.mjs";

const FOLDER = new URL("{{ python }}", self.location.href).href;
const ANSWER = `
import json
from urllib.parse import parse_qs
from scoring.calculator import answer

def answered(query, language):
    return json.dumps(answer(parse_qs(query, max_num_fields=100), language))
answered
`;

async function started() {
  const python = await loadPyodide({ indexURL: FOLDER });
  const engine = await fetch("{% url 'tournaments:calculator_package' %}");
  if (!engine.ok) throw new Error(String(engine.status));
  python.unpackArchive(await engine.arrayBuffer(), "zip");
  return python.runPython(ANSWER);
}

const ready = started();
ready.then(
  () => self.postMessage({ state: "ready" }),
  (error) => self.postMessage({ state: "failed", reason: String(error) }),
);

self.addEventListener("message", async ({ data }) => {
  const answered = await ready;
  self.postMessage({ number: data.number, answer: JSON.parse(answered(data.query, data.language)) });
});
