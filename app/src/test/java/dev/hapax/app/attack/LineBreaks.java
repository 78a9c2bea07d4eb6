package dev.hapax.app.attack;

import java.util.List;

/** Characters that end a line, or that some program takes for that. */
final class LineBreaks {
  /** Also letters whose low byte is CR or LF, and the escapes of terminals. */
  static final List<String> ALL =
      List.of(
          "\r\n",
          "\n",
          "\r",
          "\n\r",
          "\r\n ",
          "\r\n\t",
          "\0",
          "\0\r\n",
          "\u000b",
          "\u000c",
          "\u001c",
          "\u007f",
          "\u0085",
          "\u2028",
          "\u2029",
          "\u010d\u010a",
          "\u560d\u560a",
          "\u020d\u020a",
          "\uff0d\uff0a",
          "\u240d\u240a",
          "%0d%0a",
          "%250d%250a",
          "\\r\\n",
          "&#13;&#10;",
          "=0D=0A",
          "=?utf-8?Q?=0D=0A?=",
          "\u001b[2J",
          "\u009b2J",
          "\u001b]0;owned\u0007",
          "\u202e",
          "\u2066",
          "\ufeff");

  private LineBreaks() {}

  /** A value that would begin a header, and then another request. */
  static String attack(String lineBreak) {
    return "a" + lineBreak + "X-Injected: 1" + lineBreak + lineBreak + "GET /injected HTTP/1.1";
  }
}
