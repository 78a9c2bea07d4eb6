// Reads an OpenAPI document by Redocly's recommended rules; every finding is one line, and exit code 1.
import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";

const config = await createConfig({ extends: ["recommended"] });
const findings = await lintFromString({ source: readFileSync(process.argv[2], "utf8"), absoluteRef: process.argv[2], config });
for (const { severity, ruleId, message, location } of findings) {
  console.log(`${severity} ${ruleId}: ${message} at ${location.map((place) => place.pointer).join(", ")}`);
}
process.exit(findings.length === 0 ? 0 : 1);
