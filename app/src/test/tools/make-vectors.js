// Requests as the providers' own public libraries sign them; each library also accepts what it made.
import Stripe from "stripe";
import { Webhook } from "standardwebhooks";
import { sign, verify } from "@octokit/webhooks-methods";

// Without a time of its own it makes the vectors that are kept beside the tests.
const at = Number(process.argv[2] ?? 1700000000);
const bodies = [
  '{"id":"evt_1","object":"event","data":{"order":"A-1","total":40.10}}',
  '{ "id" : "evt_2",\n  "text": "Grüße, 日本語, \\u0000 escaped, 😀" }',
  '{"id":"evt_3","data":"' + "x".repeat(5000) + '"}',
];
const vectors = [];

const stripe = new Stripe("sk_test_unused");
for (const body of bodies) {
  const secret = "whsec_stripe_test_secret";
  const header = stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: at });
  stripe.webhooks.constructEvent(body, header, secret, Number.MAX_SAFE_INTEGER);
  vectors.push({ library: "stripe", scheme: "stripe", secret, at, body, headers: { "Stripe-Signature": header } });
}

for (const body of bodies) {
  const secret = "whsec_" + Buffer.from("a secret of 24 bytes: ok").toString("base64");
  const id = "msg_" + body.length;
  const signature = new Webhook(secret).sign(id, new Date(at * 1000), body);
  vectors.push({
    library: "standardwebhooks", scheme: "standard-webhooks", secret, at, body,
    headers: { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": signature },
  });
}

for (const body of bodies) {
  const secret = "It's a Secret to Everybody";
  const signature = await sign(secret, body);
  if (!(await verify(secret, body, signature))) throw new Error("octokit refuses its own signature");
  vectors.push({
    library: "@octokit/webhooks-methods", scheme: "github", secret, at, body,
    headers: { "X-Hub-Signature-256": signature, "X-GitHub-Delivery": "d-" + body.length },
  });
}

console.log(JSON.stringify(vectors, null, 2));
