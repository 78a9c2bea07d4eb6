import { parse } from "../core/json.ts";
import { base } from "../core/place.ts";
import { Store } from "../core/store.ts";
import type { Operations } from "./schema.ts";

/** A call of the API, by method and path as the OpenAPI document has them. */
export type Operation = keyof Operations;
export type Answer<K extends Operation> = Operations[K]["answer"];

export interface Arguments<K extends Operation> {
  path?: Operations[K]["path"];
  query?: Operations[K]["query"];
  body?: Operations[K]["body"];
  /** JSON as a person has written it, sent unchanged so that no number changes. */
  text?: string;
  /** The content type of text, if it is not JSON. */
  type?: string;
  signal?: AbortSignal;
}

/** A refusal of the server, or that it could not be reached: then its status is 0. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    /** The name that never changes, for example not-found. */
    readonly kind: string,
    detail: string,
    readonly members: Record<string, unknown> = {},
  ) {
    super(detail);
  }
}

/** What has failed, as a refusal. */
export function problemFrom(failure: unknown): ApiProblem {
  return failure instanceof ApiProblem ? failure : new ApiProblem(0, "unknown", String(failure));
}

/** The value that proves to the server that a change comes from this page; null without a session. */
export const proof = new Store<string | null>(null);

/** Rises whenever the server says that there is no session. */
export const refusedSessions = new Store(0);

function address(operation: string, args: { path?: object; query?: object }): { method: string; url: string } {
  const [method, path] = operation.split(" ") as [string, string];
  const values = (args.path ?? {}) as Record<string, string>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  }
  const search = query.toString();
  return { method, url: base + filled + (search ? "?" + search : "") };
}

/** An answer with what is beside its content: 200 or 201, an ETag. */
export interface Reply<K extends Operation> {
  answer: Answer<K>;
  status: number;
  header: (name: string) => string | null;
}

/** Calls the API; throws an ApiProblem. */
export async function call<K extends Operation>(
  operation: K,
  args: Arguments<K> = {},
  headers: Record<string, string> = {},
): Promise<Answer<K>> {
  return (await exchange(operation, args, headers)).answer;
}

/** As above, with the status and the headers of the answer. */
export async function exchange<K extends Operation>(
  operation: K,
  args: Arguments<K> = {},
  headers: Record<string, string> = {},
): Promise<Reply<K>> {
  const { method, url } = address(operation, args);
  const sent: Record<string, string> = { Accept: "application/json", ...headers };
  const body = args.text ?? (args.body === undefined ? undefined : JSON.stringify(args.body));
  if (body !== undefined) sent["Content-Type"] = args.type ?? "application/json";
  if (method !== "GET" && proof.get()) sent["X-Hapax-CSRF"] = proof.get()!;
  const request: RequestInit = { method, headers: sent, credentials: "same-origin", cache: "no-store" };
  if (body !== undefined) request.body = body;
  if (args.signal) request.signal = args.signal;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, request);
    text = await response.text();
  } catch (failure) {
    if ((failure as Error).name === "AbortError") throw failure;
    throw new ApiProblem(0, "unreachable", "the server cannot be reached");
  }
  if (response.ok) {
    const answer = (text === "" ? undefined : isJson(response) ? parse(text) : text) as Answer<K>;
    return { answer, status: response.status, header: (name) => response.headers.get(name) };
  }
  if (response.status === 401) refusedSessions.update((n) => n + 1);
  throw problemOf(response, text);
}

function isJson(response: Response): boolean {
  return (response.headers.get("Content-Type") ?? "").includes("json");
}

function problemOf(response: Response, text: string): ApiProblem {
  try {
    const members = parse(text) as Record<string, unknown>;
    const type = String(members.type ?? "");
    return new ApiProblem(response.status, type.slice(type.lastIndexOf("/") + 1), String(members.detail), members);
  } catch {
    return new ApiProblem(response.status, "unknown", "the server answered " + response.status);
  }
}

/** Returns the address of a download or a stream. */
export function addressOf<K extends Operation>(operation: K, args: Pick<Arguments<K>, "path" | "query"> = {}): string {
  return address(operation, args).url;
}
