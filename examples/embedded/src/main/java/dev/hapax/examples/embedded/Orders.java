package dev.hapax.examples.embedded;

import dev.hapax.Hapax;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import java.nio.file.Path;
import java.time.Duration;

/**
 * An order is charged, waits a moment and is mailed. Start it twice: it is charged once. Kill it at
 * any moment with kill -9 and start it again: it goes on where it was.
 */
public final class Orders {
  private Orders() {}

  /** What comes in. */
  record Order(String id, String email, long cents) {}

  /** What the payment provider answers. */
  record Receipt(String id, long cents) {}

  public static void main(String[] args) {
    var order = new Order(args.length > 0 ? args[0] : "A-1001", "ada@example.com", 4_000);
    var provider = new Provider(Path.of("provider.log"));

    try (Hapax hapax = Hapax.open(Path.of("orders.db"))) {
      Flow<Order, Receipt> flow = chargeOrder(provider);
      hapax.register(flow); // runs that an earlier process left unfinished go on from here

      RunHandle<Receipt> run = hapax.start(flow, order); // on disk when this returns
      System.out.println(
          run.isDuplicate()
              ? "order " + order.id() + " is known: " + run.id()
              : "order " + order.id() + " is accepted");
      System.out.println("done: " + run.await());
      run.history().forEach(entry -> System.out.println("  " + entry));
    } catch (RunInReview e) {
      // The process died while the mail was on its way. Only a person can say whether it was
      // sent.
      System.out.println(e.getMessage());
    }
  }

  static Flow<Order, Receipt> chargeOrder(Provider provider) {
    return Flow.of("charge-order", Order.class, Receipt.class)
        .key(Order::id) // what makes two starts the same intent
        .body(
            (run, order) -> {
              // keyed: the provider removes duplicates by the key, so a lost answer is settled by
              // sending again.
              Receipt receipt =
                  run.effect(
                      "charge",
                      Effect.create(order.id()).keyed(),
                      key -> provider.charge(key, order.id(), order.cents()),
                      Receipt.class);

              // The run leaves memory here and comes back in time, in this process or in the next
              // one.
              run.sleep("cooling-off", Duration.ofSeconds(2));

              // unguarded: nothing removes a doubled mail, so a doubt would go to a person.
              run.effect(
                  "mail",
                  Effect.notify(order.id()).unguarded(),
                  key -> provider.mail(key, order.email()));
              return receipt;
            });
  }
}
