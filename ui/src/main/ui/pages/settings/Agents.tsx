import { Copy } from "../../components/Copy.tsx";
import { base } from "../../core/place.ts";
import { text } from "../../text.ts";

const words = text.settings;

/** What the verb mcp prints, too. The token stays in a variable: a file may be shared. */
function snippets(url: string): [string, string][] {
  const cursor = { mcpServers: { hapax: { url, headers: { Authorization: "Bearer ${env:HAPAX_TOKEN}" } } } };
  return [
    ["Claude Code", `claude mcp add --transport http hapax ${url} --header "Authorization: Bearer $HAPAX_TOKEN"`],
    ["Codex", `# ~/.codex/config.toml\n[mcp_servers.hapax]\nurl = "${url}"\nbearer_token_env_var = "HAPAX_TOKEN"`],
    ["Cursor", JSON.stringify(cursor, null, 2)],
  ];
}

/** How agents connect to this server. */
export function Agents() {
  return (
    <>
      <p class="lead">{words.agentsSay}</p>
      {snippets(location.origin + base + "/mcp").map(([client, snippet]) => (
        <section key={client}>
          <h2>{words.connect(client)}</h2>
          <div class="snippet">
            <pre tabIndex={0} aria-label={words.connect(client)}>
              {snippet}
            </pre>
            <Copy label={text.copy.value} of={() => snippet} class="small" />
          </div>
        </section>
      ))}
    </>
  );
}
