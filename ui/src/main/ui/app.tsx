import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/layout.css";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { problemFrom, type ApiProblem } from "./api/client.ts";
import { startLive } from "./api/live.ts";
import { findSession, session } from "./api/session.ts";
import { forgetAnswers } from "./api/use.ts";
import { Problem } from "./components/Problem.tsx";
import { Toasts } from "./components/Toasts.tsx";
import { startKeys } from "./core/keys.ts";
import { startRouter } from "./core/router.ts";
import { useStore } from "./core/store.ts";
import { Layout } from "./layout/Layout.tsx";
import { applyTheme } from "./layout/theme.ts";
import { Login } from "./pages/login/Login.tsx";
import { text } from "./text.ts";

function App() {
  const caller = useStore(session);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const find = () => {
    setProblem(null);
    findSession().catch((failure: unknown) => setProblem(problemFrom(failure)));
  };
  useEffect(find, []);
  return (
    <>
      {problem ? (
        <main>
          <Problem of={problem} onRetry={find} />
        </main>
      ) : caller ? (
        <Layout key={caller.tenant + " " + caller.name} />
      ) : caller === null ? (
        <Login />
      ) : (
        <main>
          <p class="loading" role="status">
            {text.state.waiting}
          </p>
        </main>
      )}
      <Toasts />
    </>
  );
}

applyTheme();
startRouter();
startKeys();
startLive();
session.follow(() => session.get() || forgetAnswers());
render(<App />, document.getElementById("app")!);
