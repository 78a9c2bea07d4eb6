package dev.hapax.flows.interpret;

import dev.hapax.flow.RunContext;
import dev.hapax.flows.expression.Volatile;
import dev.hapax.flows.step.StepServices;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The values that an expression of a step takes from the moment and the run. */
record Moment(RunContext run, StepServices services) implements Volatile {
  @Override
  public Instant now() {
    return services.clock().now();
  }

  @Override
  public double random() {
    return services.random().nextDouble();
  }

  @Override
  public String uuid() {
    long most = services.random().nextLong();
    long least = services.random().nextLong();
    return new UUID((most & ~0xF000L) | 0x4000L, (least & ~(3L << 62)) | (2L << 62)).toString();
  }

  @Override
  public Map<String, Object> callback(String step) {
    String token = run.callback(step);
    var callback = new LinkedHashMap<String, Object>();
    callback.put("token", token);
    callback.put("url", services.callbackUrl() + token);
    return callback;
  }

  @Override
  public Map<String, Object> approval(String step, @Nullable String approver) {
    return Map.of("url", services.approvalUrl() + run.approvalLink(step, approver));
  }
}
