package dev.hapax.app;

import static dev.hapax.app.mcp.AgentCalls.data;
import static dev.hapax.app.mcp.AgentCalls.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import dev.hapax.app.mcp.AgentCalls;
import dev.hapax.app.mcp.tool.RunTasks;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store that is away for a moment is no mistake of the agent that asks about its task. */
@Timeout(120)
class TaskOutageTest {
  private static final String FLOW =
      """
      flow: asks
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      expose: mcp
      steps:
        - id: release
          approval: {ask: "Send ${input.id}?", expires: 3d, onExpire: reject}
      """;

  @TempDir private Path folder;
  private final AtomicBoolean isAway = new AtomicBoolean();

  @Test
  void a_task_is_not_lost_when_the_store_is_away() throws Exception {
    Extras extras =
        Extras.of(UnaryOperator.identity(), UnaryOperator.identity()).storedIn(Away::new);
    try (var server = new TestServer(folder, extras)) {
      server.release(FLOW);
      var agent = new AgentCalls(server, server.token(), true);

      isAway.set(true);
      Reply started = agent.call("asks", "{\"id\": \"A-1\"}");
      String run = data(started).path("run").asString("");
      Reply away = agent.task("tasks/get", run);
      Reply canceled = agent.task("tasks/cancel", run);
      isAway.set(false);
      Reply back = agent.task("tasks/get", run);

      assertThat(started.status()).as(started.raw().body()).isEqualTo(200);
      assertThat(started.at("/result/isError")).isEqualTo("false");
      assertThat(run).startsWith("r-");
      assertThat(words(started)).contains("run_status", run);
      assertThat(away.status()).as(away.raw().body()).isEqualTo(503);
      assertThat(away.at("/error/code")).isEqualTo("-32603");
      assertThat(away.at("/error/message")).contains("try again");
      assertThat(away.at("/id")).isEqualTo("7");
      assertThat(away.header("Retry-After")).isEqualTo("1");
      assertThat(canceled.at("/error/code")).isEqualTo("-32603");
      assertThat(back.at("/result/status")).isEqualTo("working");
    }
  }

  /** A store that does not answer when a task is looked at. */
  private final class Away extends ForwardingStore {
    private final Store store;

    Away(Store store) {
      this.store = store;
    }

    @Override
    protected Store to() {
      return store;
    }

    @Override
    protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
      if (isAway.get() && isOfTask()) {
        throw new StoreUnavailable("simulated: a failover", null);
      }
      return call.get();
    }

    private static boolean isOfTask() {
      String tasks = RunTasks.class.getName();
      return StackWalker.getInstance()
          .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(tasks)));
    }
  }
}
