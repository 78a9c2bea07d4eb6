// Webhook requests that the providers' own public libraries sign or accept.
//   node provider-vectors.js make          prints them anew
//   node provider-vectors.js check FILE    lets the libraries check those that are kept beside the tests
import { createHmac, createPrivateKey, createPublicKey, createHash, sign as signWith } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import twilio from "twilio";
import sendgrid from "@sendgrid/eventwebhook";
import { WebhooksHelper } from "square";
import adyen from "@adyen/api-library";
import { verifyKey } from "discord-interactions";
import { Signature as HubSpotSignature } from "@hubspot/api-client";
import { LinearWebhooks } from "@linear/sdk";
import "@shopify/shopify-api/adapters/node";
import { shopifyApi, ApiVersion } from "@shopify/shopify-api";

const require = createRequire(import.meta.url);
const { verifySlackRequest } = require("@slack/bolt/dist/receivers/verify-request.js");
const { getExpectedTwilioSignature } = require("twilio/lib/webhooks/webhooks.js");

const at = 1700000000;
const url = "https://hooks.example.com/hooks/shop";
const shared = "a-shared-secret-of-the-webhook";
const bodies = [
  '{"id":"evt_1","event_id":"e-1","data":{"order":"A-1","total":40.10}}',
  '{ "id" : "evt_2",\n  "text": "Grüße, 日本語, 😀" }',
  '[{"id":"evt_3","sg_event_id":"s-1","text":"' + "x".repeat(3000) + '"}]',
];
const base64 = (key, text) => createHmac("sha256", key).update(text, "utf8").digest("base64");

// Keys of their own, only for these vectors.
const ecKey = createPrivateKey({
  key: Buffer.from(
    "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420" +
      "1f".repeat(32) +
      "a144034200" + ecPoint("1f".repeat(32)), "hex"),
  format: "der", type: "pkcs8",
});
const ecPublic = createPublicKey(ecKey).export({ format: "der", type: "spki" }).toString("base64");
const edKey = createPrivateKey({
  key: Buffer.from("302e020100300506032b657004220420" + "2a".repeat(32), "hex"), format: "der", type: "pkcs8",
});
const edPublic = createPublicKey(edKey).export({ format: "der", type: "spki" }).subarray(-32).toString("hex");

function ecPoint(secret) {
  const { createECDH } = require("node:crypto");
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(secret, "hex");
  return ecdh.getPublicKey("hex", "uncompressed");
}

function make() {
  const vectors = [];
  const add = (library, scheme, secret, body, headers, more = {}) =>
    vectors.push({ library, scheme, secret, at, body, headers, ...more });
  for (const body of bodies) {
    add("square", "square", shared, body, { "x-square-hmacsha256-signature": base64(shared, url + body) }, { url });
    add("@shopify/shopify-api", "shopify", shared, body, {
      "X-Shopify-Hmac-Sha256": base64(shared, body), "X-Shopify-Topic": "orders/create",
      "X-Shopify-Shop-Domain": "my-shop.myshopify.com", "X-Shopify-Api-Version": "2026-04",
      "X-Shopify-Webhook-Id": "w-" + body.length, "X-Shopify-Event-Id": "e-" + body.length,
    });
    add("@hubspot/api-client", "hubspot", shared, body, {
      "X-HubSpot-Request-Timestamp": String(at * 1000),
      "X-HubSpot-Signature-v3": base64(shared, "POST" + url + body + at * 1000),
    }, { url });
    add("@sendgrid/eventwebhook", "sendgrid", ecPublic, body, {
      "X-Twilio-Email-Event-Webhook-Timestamp": String(at),
      "X-Twilio-Email-Event-Webhook-Signature": signWith("sha256", Buffer.from(at + body), ecKey).toString("base64"),
    });
    add("discord-interactions", "discord", edPublic, body, {
      "X-Signature-Timestamp": String(at),
      "X-Signature-Ed25519": signWith(null, Buffer.from(at + body), edKey).toString("hex"),
    });
    const linear = JSON.stringify({ action: "create", type: "Issue", data: { id: body.length }, webhookTimestamp: at * 1000 });
    add("@linear/sdk", "hmac", shared, linear, {
      "Linear-Signature": createHmac("sha256", shared).update(linear).digest("hex") }, { header: "Linear-Signature" });
    const hash = createHash("sha256").update(body).digest("hex");
    add("twilio", "twilio", shared, body, {
      "X-Twilio-Signature": getExpectedTwilioSignature(shared, url + "?bodySHA256=" + hash, {}) },
      { url, query: { bodySHA256: hash } });
    add("@slack/bolt", "slack", shared, body, {
      "X-Slack-Request-Timestamp": String(at),
      "X-Slack-Signature": "v0=" + createHmac("sha256", shared).update(`v0:${at}:${body}`).digest("hex") });
  }
  for (const params of [
    { MessageSid: "SM1", MessageStatus: "delivered", To: "+15005550006" },
    { Body: "Grüße & 1+1=2", From: "whatsapp:+15005550006", AccountSid: "AC1", a: "", B: "x", b: "y" },
  ]) {
    for (const address of [url, url + "?a=b", "https://hooks.example.com:443/hooks/shop"]) {
      add("twilio", "twilio", shared, new URLSearchParams(params).toString(), {
        "X-Twilio-Signature": getExpectedTwilioSignature(shared, address, params) }, { url: address });
    }
  }
  // Adyen's own example, and one with an original reference.
  const key = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";
  for (const more of [{}, { originalReference: "8313842560770001", eventCode: "REFUND", success: "false", merchantReference: "a:b" }]) {
    const item = {
      pspReference: "7914073381342284", originalReference: "", merchantAccountCode: "TestMerchant",
      merchantReference: "TestPayment-1407325143704", amount: { value: 1130, currency: "EUR" },
      eventCode: "AUTHORISATION", success: "true", eventDate: "2019-05-06T17:15:34.121+02:00", operations: [], ...more,
    };
    item.additionalData = { hmacSignature: new adyen.hmacValidator().calculateHmac(item, key) };
    add("@adyen/api-library", "adyen", key,
      JSON.stringify({ live: "false", notificationItems: [{ NotificationRequestItem: item }] }), {});
  }
  return vectors;
}

const shopify = shopifyApi({
  apiKey: "k", apiSecretKey: shared, scopes: [], hostName: "hooks.example.com", apiVersion: ApiVersion.January25,
  isEmbeddedApp: false, logger: { log: () => {} },
});

/** Asks the provider's own library. */
async function isAccepted(v) {
  const header = (name) => v.headers[name];
  switch (v.library) {
    case "square":
      return WebhooksHelper.verifySignature({
        requestBody: v.body, signatureHeader: header("x-square-hmacsha256-signature"), signatureKey: v.secret, notificationUrl: v.url });
    case "@shopify/shopify-api":
      return (await shopify.webhooks.validate({
        rawBody: v.body, rawRequest: { method: "POST", url: "/", headers: Object.fromEntries(
          Object.entries(v.headers).map(([name, value]) => [name.toLowerCase(), value])) }, rawResponse: {} })).valid;
    case "@hubspot/api-client":
      return HubSpotSignature.isValid({
        signatureVersion: "v3", signature: header("X-HubSpot-Signature-v3"), method: "POST", clientSecret: v.secret,
        requestBody: v.body, url: v.url, timestamp: Number(header("X-HubSpot-Request-Timestamp")) });
    case "@sendgrid/eventwebhook": {
      const hook = new sendgrid.EventWebhook();
      return hook.verifySignature(hook.convertPublicKeyToECDSA(v.secret), v.body,
        header("X-Twilio-Email-Event-Webhook-Signature"), header("X-Twilio-Email-Event-Webhook-Timestamp"));
    }
    case "discord-interactions":
      return verifyKey(v.body, header("X-Signature-Ed25519"), header("X-Signature-Timestamp"), v.secret);
    case "@linear/sdk":
      return new LinearWebhooks(v.secret).verify(Buffer.from(v.body), header("Linear-Signature"));
    case "twilio":
      return v.query
        ? twilio.validateRequestWithBody(v.secret, header("X-Twilio-Signature"), v.url + "?bodySHA256=" + v.query.bodySHA256, v.body)
        : twilio.validateRequest(v.secret, header("X-Twilio-Signature"), v.url, Object.fromEntries(new URLSearchParams(v.body)));
    case "@slack/bolt":
      verifySlackRequest({
        signingSecret: v.secret, body: v.body, nowMilliseconds: v.at * 1000,
        headers: { "x-slack-signature": header("X-Slack-Signature"), "x-slack-request-timestamp": Number(header("X-Slack-Request-Timestamp")) } });
      return true; // it throws otherwise
    case "@adyen/api-library":
      return new adyen.hmacValidator().validateHMAC(JSON.parse(v.body).notificationItems[0].NotificationRequestItem, v.secret);
    default:
      throw new Error("unknown library " + v.library);
  }
}

// Some libraries compare the time with the clock of this machine.
Date.now = () => at * 1000;

const [command, file] = process.argv.slice(2);
const vectors = command === "check" ? JSON.parse(readFileSync(file, "utf8")) : make();
for (const vector of vectors) {
  if ((await isAccepted(vector)) !== true) {
    console.error(`${vector.library} refuses ${JSON.stringify(vector).slice(0, 300)}`);
    process.exit(1);
  }
}
console.log(command === "check" ? `${vectors.length} vectors accepted by their libraries` : JSON.stringify(vectors, null, 2));
