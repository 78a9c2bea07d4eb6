import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiProblem } from "../../main/ui/api/client.ts";
import { RunList, type RunItem, type RunPage } from "../../main/ui/pages/runs/runList.ts";

const settled = () => new Promise((done) => setTimeout(done));
const page = (ids: string[], next: string | null) => ({ items: ids.map((id) => ({ id }) as RunItem), next }) as RunPage;

/** A server that answers when it is told to. */
class Held {
  readonly asked: { after: string | null; signal: AbortSignal; answer: (page: RunPage) => void; refuse: (problem: ApiProblem) => void }[] = [];
  page = (_: unknown, after: string | null, signal: AbortSignal) =>
    new Promise<RunPage>((answer, refuse) => this.asked.push({ after, signal, answer, refuse }));
  run = () => Promise.reject(new Error());
  async answers(...pages: RunPage[]): Promise<void> {
    for (const one of pages) {
      this.asked.at(-1)!.answer(one);
      await settled();
    }
  }
}

const idsOf = (list: RunList) => list.known.get().items.map((run) => run.id);

test("a list reads on while pages are empty and name a next one", async () => {
  const server = new Held();
  const list = new RunList({ status: "retrying" }, server);
  list.reload();
  await server.answers(page([], "a"), page([], "b"));
  assert.equal(list.known.get().isLoading, true);
  await server.answers(page(["r-1"], null));
  assert.deepEqual(server.asked.map((one) => one.after), [null, "a", "b"]);
  assert.deepEqual(idsOf(list), ["r-1"]);
  assert.equal(list.known.get().isLoading, false);
});

test("rows that come after another filter was chosen are in no list", async () => {
  const server = new Held();
  const first = new RunList({ status: "failed" }, server);
  first.reload();
  await server.answers(page(["r-1"], "a"));
  first.more();
  const more = server.asked.at(-1)!;
  first.stop();
  assert.equal(more.signal.aborted, true);
  const second = new RunList({ status: "waiting" }, server);
  second.reload();
  await server.answers(page(["r-9"], null));
  more.answer(page(["r-2"], null));
  await settled();
  assert.deepEqual(idsOf(second), ["r-9"]);
  assert.deepEqual(idsOf(first), ["r-1"]);
});

test("a page that fails is said, and asked for again only by a person", async () => {
  const server = new Held();
  const list = new RunList({}, server);
  list.reload();
  await server.answers(page(["r-1"], "a"));
  list.more();
  server.asked.at(-1)!.refuse(new ApiProblem(503, "unavailable", "the store does not answer"));
  await settled();
  assert.equal(list.known.get().problem?.kind, "unavailable");
  list.more();
  assert.equal(server.asked.length, 2);
  list.retry();
  assert.equal(server.asked.at(-1)!.after, "a");
  await server.answers(page(["r-2"], null));
  assert.deepEqual(idsOf(list), ["r-1", "r-2"]);
  assert.equal(list.known.get().problem, null);
});

test("a list that is read anew while it grows ends as its newest first page", async () => {
  const server = new Held();
  const list = new RunList({}, server);
  list.reload();
  await server.answers(page(["r-1"], "a"));
  list.more();
  list.reload();
  await server.answers(page(["r-2"], "b"), page(["r-0", "r-1"], "c"));
  assert.deepEqual(idsOf(list), ["r-0", "r-1"]);
  assert.equal(list.known.get().next, "c");
});
