package dev.hapax.connector.kafka;

import dev.hapax.flows.queue.QueueMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Makes the message of a record. */
final class RecordMessage {
  private RecordMessage() {}

  static QueueMessage of(ConsumerRecord<byte[], byte[]> record, String id) {
    byte[] value = record.value();
    String key = key(record.key());
    var headers = new LinkedHashMap<String, String>();
    for (Header header : record.headers()) {
      headers.put(header.key(), header.value() == null ? "" : text(header.value()));
    }
    Map<String, Object> place = new LinkedHashMap<>();
    place.put("topic", record.topic());
    place.put("partition", record.partition());
    place.put("offset", record.offset());
    return new QueueMessage(
        id,
        key,
        headers,
        place,
        value == null ? new byte[0] : value,
        QueueMessage.sizeOf(key, headers, value == null ? 0 : value.length),
        record.timestamp() < 0 ? null : Instant.ofEpochMilli(record.timestamp()));
  }

  private static @Nullable String key(byte @Nullable [] bytes) {
    return bytes == null ? null : text(bytes);
  }

  /** Returns bytes that are no text in UTF-8 as base64. */
  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return "base64:" + Base64.getEncoder().encodeToString(bytes);
    }
  }
}
