package dev.hapax.app.alert;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.Delivery;
import dev.hapax.Hapax;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.release.FlowState;
import dev.hapax.app.release.Flows;
import dev.hapax.app.release.Releases;
import dev.hapax.flow.Alert;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.alert.AlertDesk;
import dev.hapax.flows.alert.AlertPlan;
import dev.hapax.flows.alert.Channel;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code /api/alerts}: which channels there are, what was sent, and a test. */
public final class AlertRoutes {
  private static final int PAGE = 200;
  private static final int MOST_CHANNELS = 1_000;
  private static final int SHOWN = 20;

  private final Function<String, AlertPlan> plans;
  private final TenantAlerts deployed;
  private final Releases releases;
  private final Flows flows;
  private final TestAlert test;

  /**
   * The routes of a server.
   *
   * @param plans who hears of alerts of a tenant by the settings of the server and by deployments
   */
  public AlertRoutes(
      Function<String, AlertPlan> plans,
      TenantAlerts deployed,
      Releases releases,
      Flows flows,
      TestAlert test) {
    this.plans = plans;
    this.deployed = deployed;
    this.releases = releases;
    this.flows = flows;
    this.test = test;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/alerts",
                TokenScope.CONNECTIONS_READ,
                "List the channels of alerts, and the newest deliveries",
                this::list)
            .about(FlowSubject.SHARED)
            .gives(200, AlertsView.class),
        Route.post(
                "/api/alerts/test",
                TokenScope.CONNECTIONS_WRITE,
                "Send a test alert, and report what happened",
                this::send)
            .about(FlowSubject.SHARED)
            .takes(TestBody.class)
            .gives(200, TestedChannels.class));
  }

  /** A channel, and where it is named. */
  private record Named(Channel channel, List<String> alerts, @Nullable String flow) {}

  private RouteAnswer list(Call call) {
    call.allowQuery();
    return RouteAnswer.ok(
        new AlertsView(
            named(call.actor().tenant()).stream()
                .map(
                    named ->
                        new AlertsView.ChannelView(
                            named.channel().id(),
                            named.channel().to(),
                            named.alerts(),
                            named.flow()))
                .toList(),
            deployed.form(call.actor().tenant()),
            deliveries(call.hapax())));
  }

  private List<Named> named(String tenant) {
    List<Named> all = new ArrayList<>(named(plans.apply(tenant), null));
    String after = null;
    List<FlowState> page;
    do {
      page = releases.flows(tenant, after, PAGE);
      for (FlowState state : page) {
        after = state.name().flow();
        LoadedFlow flow = state.live() == 0 ? null : flows.findReadable(tenant, after);
        if (flow != null) {
          all.addAll(named(flow.file().alerts(), after));
        }
      }
    } while (page.size() == PAGE && all.size() < MOST_CHANNELS);
    return all.stream().limit(MOST_CHANNELS).toList();
  }

  private static List<Named> named(AlertPlan plan, @Nullable String flow) {
    return plan.all()
        .sorted(Comparator.comparing(Channel::id))
        .map(channel -> new Named(channel, alertsOf(plan, channel), flow))
        .toList();
  }

  private static List<String> alertsOf(AlertPlan plan, Channel channel) {
    return plan.channels().entrySet().stream()
        .filter(entry -> entry.getValue().contains(channel))
        .map(Map.Entry::getKey)
        .sorted()
        .map(Alert::word)
        .toList();
  }

  private static List<AlertsView.DeliveryView> deliveries(Hapax hapax) {
    return hapax.outbox().newest(AlertDesk.DESTINATION + ".", SHOWN).stream()
        .map(AlertRoutes::view)
        .toList();
  }

  private static AlertsView.DeliveryView view(Delivery delivery) {
    return new AlertsView.DeliveryView(
        delivery.message().id(),
        channelOf(delivery),
        delivery.message().type(),
        delivery.status().word(),
        delivery.publishedAt(),
        delivery.run(),
        delivery.problem());
  }

  /** An approval's notice has its channel as data, an alert beside it. */
  private static String channelOf(Delivery delivery) {
    var data = Json.tree(delivery.message().json());
    var channel = data.has("channel") ? data.get("channel") : data.path("data");
    return channel.isObject()
        ? Json.read(channel.toString(), Channel.class).id()
        : delivery.message().destination();
  }

  /**
   * Which channel to test.
   *
   * @param channel its name; null: all
   */
  record TestBody(@Nullable String channel) {}

  /** What happened on each channel. */
  record TestedChannels(List<Tested> items) {}

  /**
   * The test of a channel.
   *
   * @param delivered whether it was delivered within the time of the test
   * @param problem why not; null if it was
   */
  record Tested(
      String channel,
      List<String> to,
      boolean delivered,
      String run,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String problem) {}

  private RouteAnswer send(Call call) {
    TestBody body = call.json(TestBody.class);
    List<Channel> channels =
        named(call.actor().tenant()).stream()
            .map(Named::channel)
            .distinct()
            .filter(channel -> body.channel() == null || channel.id().equals(body.channel()))
            .toList();
    if (channels.isEmpty()) {
      throw Problem.notFound(
          body.channel() == null
              ? "no alert has a channel: name one in the setting 'alerts', in alerts.yaml of a folder that is deployed, or in a flow file, and promote it"
              : "there is no channel '%s': GET /api/alerts lists them".formatted(body.channel()));
    }
    return RouteAnswer.ok(new TestedChannels(test.send(call, channels)));
  }
}
