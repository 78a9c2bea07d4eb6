package dev.hapax.app.queue;

import dev.hapax.Kv;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.flows.queue.GroupMemory;
import dev.hapax.flows.queue.MessageId;
import dev.hapax.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the groups of all tenants have read, as records of the server. */
public final class GroupPlaces {
  private final Records<Place> records;
  private final Clock clock;

  /** How far a group has read a topic; the names are for people who look into the store. */
  record Place(
      String tenant,
      String group,
      String place,
      String topic,
      int partitions,
      Map<Integer, Long> positions,
      Instant at) {}

  public GroupPlaces(Kv map, Clock clock) {
    this.records = new Records<>(map, "queue-groups", Place.class);
    this.clock = clock;
  }

  /**
   * Returns the memory of a group.
   *
   * @param notices hears what people should see
   */
  GroupMemory of(String tenant, String group, Consumer<String> notices) {
    return new GroupMemory() {
      @Override
      public @Nullable Known recall(String place) {
        Stored<Place> found = records.get(name(place));
        return found == null
            ? null
            : new Known(
                found.value().topic(), found.value().partitions(), found.value().positions());
      }

      @Override
      public void keep(String place, Known now) {
        String name = name(place);
        if (!records.putIfAbsent(name, joined(null, place, now)).written()) {
          var _ = records.update(name, before -> joined(before, place, now));
        }
      }

      // The parts can have more characters than a key.
      private String name(String place) {
        return MessageId.hash(Records.name(tenant, group, place));
      }

      private Place joined(@Nullable Place before, String place, Known now) {
        Place same = before != null && before.topic().equals(now.topic()) ? before : null;
        Map<Integer, Long> positions = new TreeMap<>(same == null ? Map.of() : same.positions());
        positions.putAll(now.positions());
        int partitions = same == null ? now.partitions() : same.partitions();
        return new Place(tenant, group, place, now.topic(), partitions, positions, clock.now());
      }

      @Override
      public void tell(String notice) {
        notices.accept(notice);
      }
    };
  }
}
