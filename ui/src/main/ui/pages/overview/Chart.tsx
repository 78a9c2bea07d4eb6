import { number, plural } from "../../core/format.ts";
import { link } from "../../core/router.ts";
import { minuteTime, shortTime } from "../../core/time.ts";
import { text } from "../../text.ts";
import type { Overview } from "./OverviewPage.tsx";

const words = text.overview;

/** Drawn from below: what went well first. */
const OUTCOMES = [
  ["succeeded", "good", "succeeded"],
  ["open", "active", "queued,running,waiting,canceling,compensating"],
  ["canceled", "quiet", "compensated,canceled"],
  ["review", "ask", "review"],
  ["failed", "bad", "partial,failed"],
] as const;

const WIDTH = 1000;
const HEIGHT = 150;

/** Runs over time by outcome: a bar for each slot, which leads to its runs. */
export function Chart({ of }: { of: Overview }) {
  const highest = Math.max(1, ...of.slots.map((slot) => total(slot.runs)));
  const step = WIDTH / Math.max(1, of.slots.length);
  const all = total(of.runs);
  const first = of.slots.findIndex((slot) => total(slot.runs) > 0);
  return (
    <figure class="chart">
      <ul class="chart-legend">
        {OUTCOMES.map(([name, tone, status]) => (
          <li key={name} class={"tone-" + tone}>
            <a href={link("/runs", { status, since: of.from })}>
              <span class="chart-swatch" aria-hidden="true" />
              {words.outcomes[name]} <strong>{number(of.runs[name])}</strong>
            </a>
          </li>
        ))}
      </ul>
      <div class="chart-frame">
        <span class="chart-most muted" aria-hidden="true">
          {all > 0 && number(highest)}
        </span>
        <svg
          onKeyDown={walk}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="group"
          aria-label={describe(of, highest)}
        >
          <line class="chart-line" x1="0" x2={WIDTH} y1="0.5" y2="0.5" />
          <line class="chart-line" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
          {of.slots.map((slot, i) => (
            <Bar key={slot.at} slot={slot} x={i * step} width={step} highest={highest} until={of.slots[i + 1]?.at ?? of.to} isFirst={i === first} />
          ))}
          <line class="chart-base" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        </svg>
      </div>
      <figcaption class="chart-times muted">
        <span>{minuteTime(of.from)}</span>
        <span>{minuteTime(new Date((Date.parse(of.from) + Date.parse(of.to)) / 2).toISOString())}</span>
        <span>{minuteTime(of.to)}</span>
      </figcaption>
    </figure>
  );
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/** The bars are one stop of Tab; arrows walk through them. */
function walk(event: KeyboardEvent): void {
  const by = STEPS[event.key];
  if (by === undefined) return;
  const bars = [...(event.currentTarget as Element).querySelectorAll<SVGElement>("a")];
  const at = bars.indexOf(document.activeElement as unknown as SVGElement);
  const next = bars[Math.max(0, Math.min(bars.length - 1, at + by))];
  if (at < 0 || !next) return;
  event.preventDefault();
  for (const bar of bars) bar.setAttribute("tabindex", bar === next ? "0" : "-1");
  next.focus();
}

function Bar({ slot, x, width, highest, until, isFirst }: { slot: Overview["slots"][number]; x: number; width: number; highest: number; until: string; isFirst: boolean }) {
  const count = total(slot.runs);
  if (count === 0) return null;
  let y = HEIGHT;
  const title = shortTime(slot.at) + ": " + plural(count, "run") + " · " + parts(slot.runs);
  return (
    <a href={link("/runs", { since: slot.at, until })} aria-label={title} tabindex={isFirst ? 0 : -1}>
      <title>{title}</title>
      <rect class="chart-hit" x={x} y="0" width={width} height={HEIGHT} />
      {OUTCOMES.map(([name, tone]) => {
        const height = (slot.runs[name] / highest) * (HEIGHT - 2);
        y -= height;
        return height > 0 && <rect key={name} class={"chart-bar tone-" + tone} x={x + width * 0.12} y={y} width={width * 0.76} height={height} />;
      })}
    </a>
  );
}

function total(runs: Overview["runs"]): number {
  return OUTCOMES.reduce((sum, [name]) => sum + runs[name], 0);
}

function parts(runs: Overview["runs"]): string {
  return OUTCOMES.filter(([name]) => runs[name] > 0)
    .map(([name]) => number(runs[name]) + " " + words.outcomes[name].toLowerCase())
    .join(", ");
}

function describe(of: Overview, highest: number): string {
  const count = total(of.runs);
  if (count === 0) return words.chartNone;
  const peak = of.slots.find((slot) => total(slot.runs) === highest);
  return words.chartSays(plural(count, "run"), parts(of.runs), peak ? number(highest) : "", peak ? shortTime(peak.at) : "");
}
