package dev.hapax.connector.kafka;

import dev.hapax.flow.NotApplied;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * A topic as it is now. Another topic of the same name, made after this one was deleted, has
 * another id.
 */
record TopicPlace(String cluster, String topic, String id, int partitions) {
  private static final long MOST = KafkaSettings.CALL.toMillis();

  static TopicPlace find(Admin admin, String topic) throws Exception {
    String cluster = admin.describeCluster().clusterId().get(MOST, TimeUnit.MILLISECONDS);
    return find(admin, cluster, topic);
  }

  /** Returns the topic of this name as it is now. */
  TopicPlace now(Admin admin) throws Exception {
    return find(admin, cluster, topic);
  }

  private static TopicPlace find(Admin admin, String cluster, String topic) throws Exception {
    try {
      TopicDescription found =
          Objects.requireNonNull(
              admin
                  .describeTopics(List.of(topic))
                  .allTopicNames()
                  .get(MOST, TimeUnit.MILLISECONDS)
                  .get(topic));
      return new TopicPlace(cluster, topic, found.topicId().toString(), found.partitions().size());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw new NotApplied(
            "there is no topic '%s' in cluster %s that this user may see".formatted(topic, cluster),
            e);
      }
      throw e;
    }
  }

  List<TopicPartition> all() {
    return IntStream.range(0, partitions)
        .mapToObj(partition -> new TopicPartition(topic, partition))
        .toList();
  }

  /** Returns under what name a server's own store knows the topic. */
  String name() {
    return cluster + "/" + topic;
  }

  /** Returns the id of a message, which no other message of any cluster has. */
  String idOf(int partition, long offset) {
    return "%s/%s/%d/%d".formatted(cluster, id, partition, offset);
  }
}
