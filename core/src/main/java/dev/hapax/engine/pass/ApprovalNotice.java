package dev.hapax.engine.pass;

import dev.hapax.effect.RunPort;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Message;
import dev.hapax.json.NotSerializable;
import dev.hapax.run.NewRun;
import dev.hapax.run.StoredMessage;
import dev.hapax.run.wait.Wait;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the messages that tell people of an approval. */
record ApprovalNotice(RunPort.Identity run, Wait question) {

  /**
   * Returns the run that delivers a message.
   *
   * @param index of the message; it is part of the id, and the round is, too
   */
  NewRun delivery(int index, Message message, long number) {
    String id =
        StoredMessage.idFrom(
            run.tenant(), "approval/%s/%s/%d".formatted(run.id(), question.step(), index));
    try {
      return StoredMessage.of(id, message.data(content(message.data())))
          .delivery(number, run.tenant());
    } catch (NotSerializable e) {
      throw StepFailures.of(
          Failure.of(e.code(), String.valueOf(e.getMessage()), false).at(question.step()));
    }
  }

  private Map<String, @Nullable Object> content(@Nullable Object data) {
    var content = new LinkedHashMap<String, @Nullable Object>();
    content.put("approval", facts());
    content.put("data", data);
    return content;
  }

  private Map<String, @Nullable Object> facts() {
    var facts = new LinkedHashMap<String, @Nullable Object>();
    facts.put("id", Wait.id(question.number()));
    facts.put("run", run.id().toString());
    facts.put("flow", run.flow());
    facts.put("key", run.key());
    facts.put("step", question.step().name());
    if (question.step().item() != null) {
      facts.put("item", question.step().item());
    }
    facts.put("round", question.step().roundNumber());
    facts.put("ask", question.ask());
    facts.put("roles", question.roles());
    Instant until = question.expiresAt();
    facts.put("expiresAt", until == null ? null : until.toString());
    return facts;
  }
}
