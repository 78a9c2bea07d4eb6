package dev.hapax.flows.connection;

import dev.hapax.flow.Rejected;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.io.UnsupportedEncodingException;
import java.net.IDN;
import org.jspecify.annotations.Nullable;

/**
 * A mail address as it may be in a header and in a command of SMTP. The mail library writes the low
 * byte of each character: unencoded, a letter such as U+010A would become a line break and begin
 * another header.
 */
final class MailAddress {
  private MailAddress() {}

  /**
   * Parses an address, with or without a display name. The name and the domain may have any
   * letters.
   */
  static InternetAddress parse(String text) {
    refuseControls(text, text);
    try {
      var parsed = new InternetAddress(text, true);
      if (parsed.isGroup() || parsed.getAddress() == null) {
        throw notOne(text, null);
      }
      if (!isAscii(text)) {
        encode(parsed, text);
      }
      return parsed;
    } catch (AddressException | UnsupportedEncodingException | IllegalArgumentException e) {
      throw notOne(text, e);
    }
  }

  private static void encode(InternetAddress parsed, String text)
      throws UnsupportedEncodingException {
    String name = parsed.getPersonal();
    if (name != null) {
      refuseControls(name, text); // it may have been encoded
      parsed.setPersonal(name, "UTF-8");
    }
    String address = parsed.getAddress();
    int at = address.lastIndexOf('@');
    String encoded = address.substring(0, at + 1) + IDN.toASCII(address.substring(at + 1));
    if (at < 0 || !isAscii(encoded)) {
      throw new Rejected(
          "bad-address",
          "'%s': before the @, a mail address must have characters of ASCII only".formatted(text));
    }
    parsed.setAddress(encoded);
  }

  private static void refuseControls(String part, String text) {
    if (part.chars().anyMatch(Character::isISOControl)) {
      throw new Rejected(
          "bad-address",
          "a mail address contains a line break or another control character: '%s'"
              .formatted(text.replaceAll("\\p{Cntrl}", "?")));
    }
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 128);
  }

  private static Rejected notOne(String text, @Nullable Exception e) {
    return new Rejected("bad-address", "'%s' is not a mail address".formatted(text), e);
  }
}
