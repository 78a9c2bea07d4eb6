// Opens a flow file in yaml-language-server, as an editor does, and prints what it offers there.
// node language-server.js FILE.yaml -> {completions, hover, diagnostics}
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const file = process.argv[2];
const text = readFileSync(file, "utf8");
const lines = text.split("\n");
const uri = pathToFileURL(file).href;
const require = createRequire(import.meta.url);
const home = dirname(require.resolve("yaml-language-server/package.json"));
const server = spawn(process.execPath, [join(home, "bin", "yaml-language-server"), "--stdio"]);
server.stderr.resume();

let id = 0;
const asked = new Map();
const told = [];
let wake = () => {};

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function ask(method, params) {
  send({ id: ++id, method, params });
  return new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
}

function heard(message) {
  if (message.method && message.id !== undefined) {
    // The server asks for its settings: no store of schemas on the network.
    const result = message.method === "workspace/configuration" ? message.params.items.map(settings) : null;
    send({ id: message.id, result });
  } else if (message.method) {
    told.push(message);
    wake();
  } else if (asked.has(message.id)) {
    const { resolve, reject } = asked.get(message.id);
    asked.delete(message.id);
    message.error ? reject(new Error(message.error.message)) : resolve(message.result);
  }
}

function settings(item) {
  return item.section === "yaml"
    ? { validate: true, hover: true, completion: true, schemaStore: { enable: false, url: "" }, schemas: {} }
    : {};
}

let buffer = Buffer.alloc(0);
server.stdout.on("data", (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const head = buffer.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, head).toString())[1]);
    if (buffer.length < head + 4 + length) return;
    const body = buffer.subarray(head + 4, head + 4 + length).toString();
    buffer = buffer.subarray(head + 4 + length);
    heard(JSON.parse(body));
  }
});

/** The place of a word in the file, for a request. */
function at(pattern, behind = 0) {
  const line = lines.findIndex((one) => one.includes(pattern));
  return { textDocument: { uri }, position: { line, character: lines[line].indexOf(pattern) + behind } };
}

async function diagnostics() {
  for (;;) {
    const found = told.filter((one) => one.method === "textDocument/publishDiagnostics").at(-1);
    if (found) return found.params.diagnostics;
    await new Promise((resolve) => (wake = resolve));
  }
}

await ask("initialize", {
  processId: process.pid,
  rootUri: pathToFileURL(dirname(file)).href,
  capabilities: {
    workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
    textDocument: { completion: { completionItem: { snippetSupport: true } }, hover: { contentFormat: ["markdown"] } },
  },
});
send({ method: "initialized", params: {} });
send({ method: "workspace/didChangeConfiguration", params: { settings: { yaml: settings({ section: "yaml" }) } } });
send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "yaml", version: 1, text } } });

const problems = await diagnostics();
const empty = lines.findIndex((one) => one.trim() === "");
const completion = await ask("textDocument/completion", {
  textDocument: { uri },
  position: { line: empty, character: lines[empty].length },
});
const hover = await ask("textDocument/hover", at("guard:", 2));
console.log(
  JSON.stringify({
    completions: (completion.items ?? completion).map((item) => ({ label: item.label, documentation: item.documentation })),
    hover: hover?.contents?.value ?? JSON.stringify(hover?.contents ?? null),
    diagnostics: problems.map((problem) => ({ line: problem.range.start.line + 1, message: problem.message })),
  }),
);
await ask("shutdown", null);
send({ method: "exit" });
server.stdin.end();
