// A real issuer for tests: node issuer.js PORT KEYFILE. It prints a line when it listens.
// Keys are read from KEYFILE, a JSON Web Key Set, so that a test can rotate them.
import { readFileSync } from "node:fs";
import Provider from "oidc-provider";

const [port, keyFile] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "machine",
      client_secret: "a secret of the test",
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    },
    {
      client_id: "browser", // of a person: no secret, so each code is bound to its request by PKCE
      application_type: "native",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code"],
      redirect_uris: ["http://127.0.0.1/back"],
      response_types: ["code"],
    },
    {
      client_id: "hapax", // of the server: any port of this machine
      client_secret: "a secret of the login",
      application_type: "native",
      grant_types: ["authorization_code"],
      redirect_uris: ["http://127.0.0.1/login/oidc/callback"],
      response_types: ["code"],
    },
  ],
  jwks: JSON.parse(readFileSync(keyFile, "utf8")),
  scopes: ["openid", "runs:read", "runs:write", "approvals:read", "approvals:decide", "admin"],
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: true }, // pages that let every name in
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({
        scope: "runs:read runs:write approvals:read approvals:decide admin",
        audience: resource,
        accessTokenFormat: "jwt",
        accessTokenTTL: 600,
        jwt: { sign: { alg: process.argv[4] ?? "RS256" } },
      }),
    },
  },
  extraTokenClaims: () => ({ tenant: "acme", realm: { roles: ["finance", "ops"] } }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log(`listens on ${issuer}`));
process.stdin.on("end", () => process.exit(0)).resume(); // ends with its parent
