import { ApiProblem } from "../api/client.ts";
import { text } from "../text.ts";

interface Found {
  line?: number;
  message: string;
  fix?: string;
}

/** Why the server did not do something, with all that it found wrong and what to do next. */
export function Refusal({ of }: { of: unknown }) {
  const problem = of instanceof ApiProblem ? of : null;
  const findings = (problem?.members.findings ?? []) as Found[];
  const problems = (problem?.members.problems ?? []) as string[];
  return (
    <div class="notice tone-bad" role="alert">
      <p>{problem ? problem.message : String(of)}</p>
      {findings.map((one, i) => (
        <p key={i}>
          {one.message} {one.fix}
        </p>
      ))}
      {problems.map((one) => (
        <p key={one}>{one}</p>
      ))}
      {problem?.kind === "stale" && <p>{text.state.stale}</p>}
    </div>
  );
}
