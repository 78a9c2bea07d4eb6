import "./login.css";
import { useState } from "preact/hooks";
import { ApiProblem } from "../../api/client.ts";
import { logIn } from "../../api/session.ts";
import { text } from "../../text.ts";

/** The address stays as it is, so that the browser is where it wanted to be after the login. */
export function Login() {
  const [token, setToken] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await logIn(token.trim());
    } catch (failure) {
      setProblem(words(failure));
      setBusy(false);
    }
  };
  return (
    <main class="login">
      <form class="login-card" onSubmit={submit}>
        <span class="brand-mark large" aria-hidden="true">
          H
        </span>
        <h1>{text.login.title}</h1>
        <label class="field">
          <span>{text.login.token}</span>
          <input
            type="password"
            name="token"
            autoComplete="current-password"
            spellcheck={false}
            required
            autofocus
            placeholder="hapax_…"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        {problem && (
          <p class="notice tone-bad" role="alert">
            {problem}
          </p>
        )}
        <button class="button primary wide" disabled={isBusy}>
          {isBusy ? text.login.busy : text.login.submit}
        </button>
        <p class="muted small-text">{text.login.safe}</p>
        <p class="muted small-text">
          {text.login.hint} <code>{text.login.command}</code>
        </p>
      </form>
    </main>
  );
}

function words(failure: unknown): string {
  if (!(failure instanceof ApiProblem)) return String(failure);
  if (failure.status === 0) return text.login.unreachable;
  return failure.status === 401 ? text.login.wrong : failure.message;
}
