import { Store } from "../core/store.ts";
import { ApiProblem, call, proof, refusedSessions, type Answer } from "./client.ts";

export type Caller = Answer<"GET /api/session">;

/** Who is logged in; null for no one, undefined until the server has said. */
export const session = new Store<Caller | null | undefined>(undefined);

function begin(caller: Caller): void {
  proof.set(caller.csrf ?? null);
  session.set(caller);
}

refusedSessions.follow(() => {
  proof.set(null);
  if (session.get()) session.set(null);
});

/** Asks the server whether this browser has a session. */
export async function findSession(): Promise<void> {
  try {
    begin(await call("GET /api/session"));
  } catch (problem) {
    if (problem instanceof ApiProblem && (problem.status === 401 || problem.status === 403)) session.set(null);
    else throw problem;
  }
}

/** Begins a session. The token is sent once, and kept by no script. */
export async function logIn(token: string): Promise<void> {
  begin(await call("POST /api/session", {}, { Authorization: "Bearer " + token }));
}

export async function logOut(): Promise<void> {
  try {
    await call("DELETE /api/session");
  } catch (problem) {
    // a session that is over already is what was asked for
    if (!(problem instanceof ApiProblem && problem.status === 401)) throw problem;
  } finally {
    proof.set(null);
    session.set(null);
  }
}

/** Returns whether the caller's token has a scope. */
export function may(scope: string): boolean {
  const scopes = session.get()?.scopes ?? [];
  return scopes.includes(scope) || scopes.includes("admin");
}
