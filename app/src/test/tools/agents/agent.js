// Calls tools with an official client: node agent.js PLAN, a JSON with
//   client: "2026" or "2025"; url and token, or command and args; calls: [{name, arguments, times, tries}]
// Calls of one entry run at once, entries one after another. A call that fails is made again, with the same arguments, as agents do.
const plan = JSON.parse(process.argv[2]);
const modern = plan.client === '2026';
const {Client, StreamableHTTPClientTransport} = modern
  ? await import('@modelcontextprotocol/client')
  : {
      ...(await import('@modelcontextprotocol/sdk/client/index.js')),
      ...(await import('@modelcontextprotocol/sdk/client/streamableHttp.js')),
    };
const {StdioClientTransport} = modern
  ? await import('@modelcontextprotocol/client/stdio')
  : await import('@modelcontextprotocol/sdk/client/stdio.js');

function transport() {
  if (plan.command) {
    return new StdioClientTransport({command: plan.command, args: plan.args, env: {...process.env, ...plan.env}});
  }
  return new StreamableHTTPClientTransport(new URL(plan.url), {
    requestInit: {headers: {Authorization: 'Bearer ' + plan.token}},
  });
}

async function connected() {
  const options = modern ? {versionNegotiation: {mode: {pin: '2026-07-28'}}} : {};
  const client = new Client({name: 'hapax-test', version: '1'}, options);
  await client.connect(transport());
  return client;
}

const client = await connected();
const tools = (await client.listTools()).tools;
console.error('connected');
const results = [];
for (const call of plan.calls) {
  const once = async () => {
    for (let tries = call.tries ?? 1; ; tries--) {
      try {
        return await client.callTool({name: call.name, arguments: call.arguments});
      } catch (error) {
        if (tries <= 1) return {failed: String(error)};
        await new Promise(wait => setTimeout(wait, 300));
      }
    }
  };
  console.error('calling ' + call.name);
  results.push(await Promise.all(Array.from({length: call.times ?? 1}, once)));
}
console.log(JSON.stringify({version: modern ? client.getNegotiatedProtocolVersion?.() : client.getServerVersion()?.version, tools, results}));
await client.close();
process.exit(0);
