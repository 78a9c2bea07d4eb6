package dev.hapax.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Accounting, which makes an invoice for every request it gets, and a mail server, which removes
 * duplicates by the key. While accounting is down, it refuses 18 of 20 orders; of one it loses the
 * request, and of one the answer, after it made the invoice.
 */
final class Bookkeeping implements AutoCloseable {
  private static final int PAGE = 500;

  private final List<Map<String, Object>> invoices = new ArrayList<>();
  private final Map<String, String> mails = new ConcurrentHashMap<>();
  private final HttpServer list;
  volatile boolean isDown;

  Bookkeeping() throws IOException {
    list = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    list.createContext("/", this::list);
    list.start();
  }

  String address() {
    return "http://127.0.0.1:" + list.getAddress().getPort();
  }

  Object invoice(@Nullable Object input) {
    if (!(input instanceof Map<?, ?> wanted) || wanted.get("cents") == null) {
      throw new Rejected("bad-invoice", "cents: expected a number, got nothing");
    }
    String order = String.valueOf(wanted.get("order"));
    int number = Integer.parseInt(order.substring(order.indexOf('-') + 1));
    if (isDown && number % 20 > 1) {
      throw new NotApplied("connection refused");
    }
    if (isDown && number % 20 == 1) {
      throw new IllegalStateException("the request was lost");
    }
    Map<String, Object> made = make(order, wanted.get("cents"));
    if (isDown) {
      throw new IllegalStateException("the answer was lost");
    }
    return Map.of("body", made);
  }

  private synchronized Map<String, Object> make(String order, @Nullable Object cents) {
    var made = new LinkedHashMap<String, Object>();
    made.put("id", "in_" + (invoices.size() + 1));
    made.put("order", order);
    made.put("cents", cents);
    invoices.add(made);
    return made;
  }

  Object mail(@Nullable Object order, String key) {
    mails.putIfAbsent(key, String.valueOf(order));
    return Map.of("sent", true);
  }

  synchronized List<String> invoicedOrders() {
    return invoices.stream().map(invoice -> String.valueOf(invoice.get("order"))).toList();
  }

  List<String> mailedOrders() {
    return List.copyOf(mails.values());
  }

  private void list(HttpExchange exchange) throws IOException {
    try (exchange) {
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      int from = query.contains("after=") ? Integer.parseInt(query.replaceAll("\\D", "")) : 0;
      byte[] bytes = Json.write(page(from)).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private synchronized Map<String, Object> page(int from) {
    int to = Math.min(from + PAGE, invoices.size());
    var page = new LinkedHashMap<String, Object>();
    page.put("invoices", List.copyOf(invoices.subList(from, to)));
    if (to < invoices.size()) {
      page.put("next", Integer.toString(to));
    }
    return page;
  }

  @Override
  public void close() {
    list.stop(0);
  }
}
