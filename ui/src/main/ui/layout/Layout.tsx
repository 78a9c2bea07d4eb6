import { useEffect, useRef, useState } from "preact/hooks";
import { ShortcutSheet } from "../components/ShortcutSheet.tsx";
import { may } from "../api/session.ts";
import { useShortcuts } from "../core/keys.ts";
import { go, link, match, usePlace } from "../core/router.ts";
import { useStore } from "../core/store.ts";
import { Empty } from "../components/Empty.tsx";
import { about } from "../components/Title.tsx";
import { pages } from "../pages/index.ts";
import { text } from "../text.ts";
import { Nav } from "./Nav.tsx";
import { Top } from "./Top.tsx";

/** What is around every page: navigation, search, status of the connection. */
export function Layout() {
  const { path } = usePlace();
  const [isSheet, setSheet] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);

  useShortcuts([
    { keys: "?", does: text.keys.sheet, run: () => setSheet(true) },
    { keys: "/", does: text.keys.find, run: () => document.getElementById("find")?.focus() },
    ...pages.flatMap((page) =>
      page.nav?.key ? [{ keys: "g " + page.nav.key, does: page.title, run: () => go(link(page.path)) }] : [],
    ),
  ]);

  // a caller who may not see the overview begins at the first page that the token allows, if there is one
  const first = path === "/" && !may("runs:read") ? pages.find((page) => page.nav && may(page.nav.scope)) : undefined;
  useEffect(() => {
    if (first) go(link(first.path), true);
  }, [first]);

  const found = pages.flatMap((page) => {
    const values = match(page.path, path);
    return values ? [{ page, values }] : [];
  })[0];

  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [path]);

  const name = useStore(about);
  useEffect(() => {
    document.title = [name, found?.page.title, text.product].filter(Boolean).join(" · ");
  }, [path, name]);

  const Show = first ? undefined : found?.page.show;
  return (
    <div class="layout">
      <a class="skip" href="#main">
        {text.nav.skip}
      </a>
      <Nav />
      <div class="layout-page">
        <Top />
        <main id="main" ref={main} tabIndex={-1}>
          {Show ? <Show key={path} {...found!.values} /> : <Empty title={text.state.missing} hint={text.state.missingHint} />}
        </main>
      </div>
      {isSheet && <ShortcutSheet onClose={() => setSheet(false)} />}
    </div>
  );
}
