package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.testkit.fault.PostgresServer;
import org.junit.jupiter.api.Test;

/** The contract for tables of PostgreSQL. */
class TableQueueTest extends QueueContract {
  @Override
  TestBroker open() throws Exception {
    assumeThat(PostgresServer.obstacle()).as("PostgreSQL for tests").isNull();
    return new TableTestBroker(PostgresServer.shared());
  }

  @Test
  void an_update_that_was_lost_after_the_commit_starts_nothing_twice() throws Exception {
    ((TableTestBroker) broker)
        .execute(
            """
            CREATE SEQUENCE updates;
            CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF nextval('updates') <= 5 THEN RAISE EXCEPTION 'this update is lost'; END IF;
              RETURN NEW;
            END $$;
            CREATE TRIGGER lose BEFORE UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION lose()
            """);
    sendAll(0, 20);
    goLive(flow("key: ${input.order}", ", batch: 1", broker.message() + ".order"));

    awaitRuns(20);

    awaitThat(
        "they came again",
        () -> server.get("/api/queues/intake").body().path("duplicates").asLong() >= 5);
    assertThat(started()).isEqualTo(orders(20));
    assertThat(events("conflicting")).isEmpty();
  }

  @Test
  void a_seek_brings_back_the_rows_since_the_time_and_no_older_ones() throws Exception {
    goLive(orders());
    sendAll(0, 6);
    awaitRuns(6);
    ((TableTestBroker) broker)
        .execute(
            "UPDATE outbox SET read_at = now() - (id % 2) * interval '2 hours' - interval '1 minute'");

    var sought = seek(broker.now().minusSeconds(3600).toString());

    assertThat(sought.at("/messages")).isEqualTo("3");
    awaitThat(
        "they come again", () -> server.get("/api/queues/intake").at("/duplicates").equals("3"));
    awaitThat("all are read", broker::isDrained);
    assertThat(server.get("/api/queues/intake").at("/duplicates")).isEqualTo("3");
    assertThat(started()).isEqualTo(orders(6));
  }
}
