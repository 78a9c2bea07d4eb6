package dev.hapax.bench;

import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.json.Json;
import dev.restate.sdk.Context;
import dev.restate.sdk.HandlerRunner;
import dev.restate.sdk.endpoint.Endpoint;
import dev.restate.sdk.endpoint.definition.HandlerDefinition;
import dev.restate.sdk.endpoint.definition.HandlerType;
import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.restate.sdk.endpoint.definition.ServiceType;
import dev.restate.sdk.http.vertx.RestateHttpServer;
import dev.restate.serde.Serde;
import dev.restate.serde.jackson.JacksonSerdeFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The process that Restate calls: handlers of three durable steps, as its manual shows them. */
final class RestateService {
  static final String NAME = "orders";
  static final String HANDLER = "order";
  static final String HTTP_HANDLER = "orderOverHttp";

  private static final Serde<String> JSON_TEXT =
      Serde.using(
          "application/json",
          text -> text.getBytes(StandardCharsets.UTF_8),
          bytes -> new String(bytes, StandardCharsets.UTF_8));

  private RestateService() {}

  public static void main(String[] args) throws IOException {
    PrintStream answers = System.out;
    System.setOut(System.err); // a logger may print something first
    var shop = new ShopClient(URI.create(args[0]));
    List<HandlerDefinition<?, ?>> handlers =
        List.of(
            handler(HANDLER, OrderStep.AT_ONCE),
            handler(HTTP_HANDLER, (step, order) -> shop.post(step, order.id())));
    int port =
        RestateHttpServer.listen(
            Endpoint.bind(ServiceDefinition.of(NAME, ServiceType.SERVICE, handlers)), 0);
    answers.println(port);
    System.in.transferTo(OutputStream.nullOutputStream()); // until the parent process is gone
    System.exit(0);
  }

  private static HandlerDefinition<String, String> handler(String name, OrderStep work) {
    return HandlerDefinition.of(
        name,
        HandlerType.SHARED,
        JSON_TEXT,
        JSON_TEXT,
        HandlerRunner.of(
            (Context run, String input) -> order(run, input, work),
            new JacksonSerdeFactory(),
            HandlerRunner.Options.DEFAULT));
  }

  private static String order(Context run, String input, OrderStep work) {
    Order order = Json.read(input, Order.class);
    String last = "";
    for (String step : OrderFlow.STEPS) {
      last = run.run(step, JSON_TEXT, () -> work.send(step, order));
    }
    return last;
  }
}
