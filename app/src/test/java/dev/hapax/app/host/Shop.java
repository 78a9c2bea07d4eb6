package dev.hapax.app.host;

import dev.hapax.app.HapaxMount;
import dev.hapax.app.config.Settings;
import dev.hapax.app.config.SettingsReader;
import dev.hapax.flow.Flow;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;

/** A program with a container, a context path and pages of its own, and Hapax below them. */
final class Shop implements AutoCloseable {
  static final String CONTEXT = "/shop";

  private final Server container = new Server();
  private final HapaxMount mount;
  private final String url;

  record Name(String name) {}

  record Greeting(String text) {}

  private static final Flow<Name, Greeting> GREET =
      Flow.of("greet", Name.class, Greeting.class)
          .key(Name::name)
          .body((_, name) -> new Greeting("Hello " + name.name()));

  Shop(Path folder) throws Exception {
    this(folder, UnaryOperator.identity());
  }

  Shop(Path folder, UnaryOperator<HapaxMount.Builder> more) throws Exception {
    var connector = new ServerConnector(container);
    connector.setHost("127.0.0.1");
    connector.open(); // takes a free port, which the address has to name
    container.addConnector(connector);
    this.url = "http://127.0.0.1:" + connector.getLocalPort();
    this.mount = open(folder, url + CONTEXT + "/hapax", more);
    var context = new ServletContextHandler();
    context.setContextPath(CONTEXT);
    context.addServlet(new ServletHolder(new Hello()), "/hello");
    map(context, mount);
    container.setHandler(context);
    container.start();
  }

  private static HapaxMount open(Path folder, String url, UnaryOperator<HapaxMount.Builder> more)
      throws IOException {
    // example: open
    Settings settings =
        new SettingsReader()
            .set(List.of("data=" + folder, "http.url=" + url)) // https://shop.example/shop/hapax
            .read();
    HapaxMount.Builder hapax =
        HapaxMount.at("/hapax", settings)
            .files(files -> files.handler("charge", (order, _) -> Map.of("charged", order)))
            .flows(GREET);
    // end
    return more.apply(hapax).open();
  }

  private static void map(ServletContextHandler context, HapaxMount mount) {
    // example: map
    context.addServlet(new ServletHolder(mount.servlet()), "/hapax/*");
    // end
  }

  /** The program's own page. */
  @SuppressWarnings("serial")
  private static final class Hello extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().print("the shop is open");
    }
  }

  /** Where the program is reached, without a path. */
  String url() {
    return url;
  }

  HapaxMount mount() {
    return mount;
  }

  @Override
  public void close() {
    // example: close
    mount.close();
    LifeCycle.stop(container);
    // end
  }
}
