package dev.hapax.app.demo;

import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.Base64;

/** The secrets that the shop signs its webhooks with; made once for a folder. */
record WebhookSecrets(String orders, String paid) {
  private static final int LENGTH = 32;

  static WebhookSecrets open(DemoFolder folder) throws IOException {
    if (!Files.exists(folder.secrets())) {
      DemoFolder.replace(
          folder.secrets(),
          Json.write(new WebhookSecrets("whsec_" + random(), "whsec_" + random())));
    }
    return Json.read(Files.readString(folder.secrets()), WebhookSecrets.class);
  }

  private static String random() {
    byte[] bytes = new byte[LENGTH];
    new SecureRandom().nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }
}
