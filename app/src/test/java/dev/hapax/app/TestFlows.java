package dev.hapax.app;

import java.util.List;

/** The flows that the tests of the server start. */
final class TestFlows {
  static final List<String> ALL =
      List.of(
          """
          flow: order
          input: {type: object, required: [id], properties: {id: {type: string}, total: {type: number}}}
          key: ${input.id}
          steps:
            - id: charge
              call: {handler: charge, input: "${input.id}"}
              effect: {kind: create, key: "${input.id}", guard: none}
              retry: {attempts: 1}
          output: {charged: "${steps.charge.output.charged}"}
          """,
          """
          flow: free
          steps:
            - {id: note, set: {text: hello}}
          output: {text: "${steps.note.output.text}"}
          """,
          """
          flow: call-me
          key: ${input.id}
          steps:
            - id: answer
              wait: {callback: {expires: 1h, schema: {type: object, required: [ok]}}}
          output: {answer: "${steps.answer.output}"}
          """,
          """
          flow: tell
          key: ${input.id}
          steps:
            - {id: url, set: {url: "${callback('answer').url}"}}
            - id: answer
              wait: {callback: {expires: 1h, schema: {type: object, required: [ok]}}}
          output: {answer: "${steps.answer.output}", url: "${steps.url.output.url}"}
          """,
          """
          flow: ask
          key: ${input.id}
          steps:
            - id: release
              approval: {ask: "Send <b>${input.id}</b>?", roles: [finance], expires: 3d, onExpire: reject}
          output: {by: "${steps.release.output.by}", decision: "${steps.release.output.decision}"}
          """,
          """
          flow: one-at-a-time
          key: ${input.id}
          concurrency: {limit: 1, overflow: reject}
          steps:
            - {id: pause, wait: {for: 1h}}
          """);

  private TestFlows() {}
}
