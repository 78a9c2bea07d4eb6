import assert from "node:assert/strict";
import { test } from "node:test";
import { Answers } from "../../main/ui/api/answers.ts";
import { OneAtATime } from "../../main/ui/api/oneAtATime.ts";

const settled = () => new Promise((done) => setTimeout(done));

test("what is asked for while an answer is under way is asked for once, after it", async () => {
  const begun: AbortSignal[] = [];
  let end = () => {};
  const one = new OneAtATime((signal) => {
    begun.push(signal);
    return new Promise((done) => (end = done));
  });
  one.ask();
  for (let i = 0; i < 10; i++) one.ask();
  assert.equal(begun.length, 1);
  assert.equal(begun[0]!.aborted, false);
  end();
  await settled();
  assert.equal(begun.length, 2);
  end();
  await settled();
  assert.equal(begun.length, 2);
});

test("what is stopped is aborted, and asks no more", async () => {
  const begun: AbortSignal[] = [];
  let end = () => {};
  const one = new OneAtATime((signal) => {
    begun.push(signal);
    return new Promise((done) => (end = done));
  });
  one.ask();
  one.ask();
  one.stop();
  assert.equal(begun[0]!.aborted, true);
  end();
  await settled();
  assert.equal(begun.length, 1);
});

test("an answer that is shown is never forgotten, however many others come", () => {
  const answers = new Answers(3);
  const hide = answers.show("shown");
  answers.keep("shown", 1);
  for (let i = 0; i < 10; i++) answers.keep("other " + i, i);
  assert.equal(answers.get("shown"), 1);
  assert.equal(answers.get("other 9"), 9);
  assert.equal(answers.get("other 6"), undefined);
  hide();
  assert.equal(answers.get("shown"), undefined); // the oldest of those that no one sees
});

test("an answer that two components show stays until both are gone", () => {
  const answers = new Answers(0);
  const [first, second] = [answers.show("a"), answers.show("a")];
  answers.keep("a", 1);
  first();
  assert.equal(answers.get("a"), 1);
  second();
  assert.equal(answers.get("a"), undefined);
});
