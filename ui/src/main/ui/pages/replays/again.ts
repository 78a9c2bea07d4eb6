import { print } from "../../core/json.ts";
import type { Query } from "../../core/router.ts";

/** What a plan was made of, as its job keeps it. */
interface Spec {
  filter?: Record<string, unknown> & { ids?: string[] | null };
  wish?: {
    step?: string | null;
    item?: string | null;
    release?: unknown;
    input?: string | null;
    outputs?: Record<string, string> | null;
    ask?: string[] | null;
    force?: { effect: string; reason: string }[] | null;
  } | null;
  release?: string | null;
}

/** The query of the form that asks for the same plan again: all its runs, and how they are replayed. */
export function againOf(spec: unknown): Query {
  const { filter = {}, wish, release } = spec as Spec;
  const { ids, ...others } = filter;
  const selected = ids?.length ? { runs: ids.join("\n") } : Object.fromEntries(Object.entries(others).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
  const outputs = Object.entries(wish?.outputs ?? {});
  const force = wish?.force ?? [];
  return {
    ...selected,
    from: wish?.step,
    item: wish?.item,
    release: wish?.release == null ? release : print(wish.release),
    input: wish?.input,
    outputs: outputs.length ? "{" + outputs.map(([step, json]) => JSON.stringify(step) + ":" + json).join(",") + "}" : null,
    ask: wish?.ask?.join(" "),
    force: force.map((one) => one.effect).join(" "),
    why: force[0]?.reason,
  };
}
