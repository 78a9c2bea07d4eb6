// Parses texts with Mermaid itself: node parse-mermaid.js FILE, with a text per paragraph that begins with "%% ".
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<body></body>");
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import("mermaid");
mermaid.initialize({ startOnLoad: false, securityLevel: "strict" });

const parsed = [];
const failed = [];
for (const text of readFileSync(process.argv[2], "utf8").split(/^(?=%% )/m)) {
  const name = text.slice(3, text.indexOf("\n"));
  try {
    const { diagramType } = await mermaid.parse(text);
    parsed.push(`${name} ${diagramType}`);
  } catch (e) {
    failed.push(`${name}: ${e.message}`);
  }
}
console.log(JSON.stringify({ parsed, failed }));
process.exit(0);
