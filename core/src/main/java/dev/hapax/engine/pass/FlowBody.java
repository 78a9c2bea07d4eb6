package dev.hapax.engine.pass;

import dev.hapax.effect.Payload;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.flow.Flow;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.RawType;

/** Calls the code of a flow with its input and a context for its steps. */
public record FlowBody(EngineParts parts) implements BodyRunner {
  @Override
  public <I, O> String run(Flow<I, O> flow, Fiber fiber, String input) throws Exception {
    fiber.hold(input);
    I value = Json.read(input, flow.input());
    O output = flow.body().run(new PassContext(fiber, parts, null), value);
    RawType lost = RawType.lost(flow.output(), output);
    if (lost != null) {
      throw new NotSerializable("its output: " + lost.inFlow());
    }
    return Payload.writeResult(output);
  }
}
