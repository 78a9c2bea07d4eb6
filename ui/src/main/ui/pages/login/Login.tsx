import "./login.css";
import { useEffect, useState } from "preact/hooks";
import { ApiProblem } from "../../api/client.ts";
import { logIn } from "../../api/session.ts";
import { issuer } from "../../core/place.ts";
import { currentPlace, link, setQuery } from "../../core/router.ts";
import { text } from "../../text.ts";

/** The address stays as it is, so that the browser is where it wanted to be after the login. */
export function Login() {
  const [token, setToken] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(() => failed(currentPlace().query.get("login")));
  useEffect(() => {
    if (currentPlace().query.has("login")) setQuery({ login: null }, true);
  }, []);
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
            placeholder={text.samples.token}
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
        {issuer && (
          <a class="button wide" href={link("/login/oidc", { to: wanted() })} target="_self">
            {text.login.at(issuer)}
          </a>
        )}
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

/** Returns where the browser wants to be, below the prefix of the server. */
function wanted(): string {
  const query = new URLSearchParams(currentPlace().query);
  query.delete("login");
  const search = query.toString();
  return currentPlace().path + (search ? "?" + search : "");
}

/** The server says with a word why the issuer's login failed. */
function failed(word: string | null): string | null {
  if (word === null) return null;
  const known: Record<string, string> = text.login.failed;
  return Object.hasOwn(known, word) ? known[word]! : text.login.failed.refused;
}
