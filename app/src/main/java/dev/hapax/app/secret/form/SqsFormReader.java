package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import dev.hapax.json.Text;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads queues of SQS. */
record SqsFormReader(ConnectionForm.Sqs form) implements FormReader {
  @Override
  public Connection connection(String name) {
    return new Connection.Sqs(
        name,
        region(),
        FormFields.address("sqs.endpoint", endpoint()),
        FormFields.user("sqs.accessKey", FormFields.LONGEST_LOGIN, form.accessKey()),
        FormFields.given("sqs.secret", form.secret()),
        FormFields.orEmpty(form.privateHosts()),
        FormFields.limits(form.limits()));
  }

  @Override
  public Stream<@Nullable String> secrets() {
    return Stream.of(form.secret());
  }

  @Override
  public Set<String> hosts() {
    return FormFields.hostOf(endpoint());
  }

  @Override
  public @Nullable Set<String> privateHosts() {
    return form.privateHosts();
  }

  private String endpoint() {
    return form.endpoint() == null
        ? "https://sqs.%s.amazonaws.com".formatted(region())
        : form.endpoint();
  }

  private String region() {
    String region = FormFields.given("sqs.region", form.region());
    if (!region.matches("[a-z0-9][a-z0-9-]{0,49}")) {
      throw new IllegalArgumentException(
          "sqs.region: expected a region such as eu-central-1, got '%s'"
              .formatted(Text.storable(region)));
    }
    return region;
  }
}
