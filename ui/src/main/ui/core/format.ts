const counts = new Intl.NumberFormat();

export function number(value: number): string {
  return counts.format(value);
}

/** Writes a count with its noun: "1 run", "3 runs". */
export function plural(count: number, one: string, many = one + "s"): string {
  return number(count) + " " + (count === 1 ? one : many);
}

export function bytes(count: number): string {
  if (count < 1000) return plural(count, "byte");
  const units = ["kB", "MB", "GB", "TB"];
  let value = count;
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return (value < 10 ? value.toFixed(1) : Math.round(value)) + " " + units[unit];
}

/** Writes a time span by its two largest units: "2 h 5 min", "340 ms". */
export function duration(millis: number): string {
  const ms = Math.max(0, Math.round(millis));
  if (ms < 1000) return ms + " ms";
  const seconds = ms / 1000;
  if (seconds < 10) return seconds.toFixed(1) + " s";
  const whole = Math.round(seconds);
  if (whole < 60) return whole + " s";
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return joined(minutes, "min", whole % 60, "s");
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return joined(hours, "h", minutes % 60, "min");
  return joined(Math.floor(hours / 24), "d", hours % 24, "h");
}

function joined(large: number, unit: string, small: number, smaller: string): string {
  return large + " " + unit + (small > 0 ? " " + small + " " + smaller : "");
}

/** Leaves out the name of a Java class in front of a message; the detail has all of it. */
export function plainly(message: string): string {
  return message.replace(/^(?:[a-z]\w*\.)+[A-Z][\w$]*: (?=.)/, "");
}

/** Shortens the middle of a long text, so that its begin and its end can be compared. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return text.slice(0, most - 1 - half) + "…" + text.slice(text.length - half);
}
