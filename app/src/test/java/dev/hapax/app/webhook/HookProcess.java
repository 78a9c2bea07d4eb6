package dev.hapax.app.webhook;

import dev.hapax.app.release.Site;
import dev.hapax.store.StoreProvider;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.time.Ports;
import java.nio.file.Path;
import java.util.List;

/** The server that dies: one flow that listens to a webhook, on a store in a file. */
final class HookProcess {
  static final String LISTENS = "listens ";
  static final String SECRET = "shop's secret";

  private static final String SHOP =
      """
      flow: shop
      key: ${input.order}
      triggers:
        - webhook:
            path: shop/orders
            verify: {scheme: hmac, secret: shop-signing, header: X-Shop-Signature}
            event: ${event.body.id}
            input: ${event.body.data}
      steps:
        - id: keep
          set: {order: "${input.order}"}
      output: {order: "${steps.keep.output.order}"}
      """;

  private HookProcess() {}

  public static void main(String[] arguments) {
    ChildProcess.endWithParent();
    Ports ports = Ports.system();
    var store =
        StoreProvider.open(provider -> provider.open(Path.of(arguments[0]), ports.threads()));
    var site =
        new Site(
            store,
            ports,
            one ->
                new WebhookRoutes(
                        one.releases.hookPaths(),
                        one.live,
                        one.hapax::tenant,
                        (_, _) -> List.of(SECRET),
                        ports)
                    .routes());
    site.goLive("shop", SHOP);
    System.out.println(LISTENS + site.server.address());
    System.out.flush();
  }
}
