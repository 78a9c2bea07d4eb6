import { useEffect, useState } from "preact/hooks";
import { logOut, may, session } from "../api/session.ts";
import { link, match, usePlace } from "../core/router.ts";
import { number } from "../core/format.ts";
import { useStore } from "../core/store.ts";
import { GROUPS, pages, type Group } from "../pages/index.ts";
import { text } from "../text.ts";
import { ICONS } from "./icons.ts";
import { theme, type Theme } from "./theme.ts";
import { useOpen } from "./useOpen.ts";

const THEMES: Theme[] = ["system", "light", "dark"];

/** The pages that the caller's token allows, by group. On a phone: those of the first group, and a menu with all. */
export function Nav() {
  const { path } = usePlace();
  const caller = useStore(session);
  const chosen = useStore(theme);
  const [isOpen, setOpen] = useState(false);
  const waiting = useOpen();
  useEffect(() => setOpen(false), [path]);
  return (
    <nav class={"nav" + (isOpen ? " open" : "")} aria-label={text.nav.main} onKeyDown={(event) => event.key === "Escape" && setOpen(false)}>
      <a class="nav-brand" href={link("/")}>
        <span class="brand-mark" aria-hidden="true">
          H
        </span>
        {text.product}
      </a>
      {GROUPS.map((group) => (
        <NavGroup key={group} group={group} path={path} waiting={waiting} />
      ))}
      <button type="button" class="nav-menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">{isOpen ? "×" : "☰"}</span> {text.nav.menu}
      </button>
      <div class="nav-foot">
        <p class="nav-caller" title={(caller?.scopes ?? []).join(", ")}>
          {caller?.name}
          <span class="muted">{caller?.tenant}</span>
        </p>
        <label class="nav-theme">
          <span class="sr">{text.nav.theme}</span>
          <select value={chosen} onChange={(event) => theme.set(event.currentTarget.value as Theme)}>
            {THEMES.map((one) => (
              <option key={one} value={one}>
                {text.nav.themes[one]}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="button small" onClick={() => void logOut()}>
          {text.nav.logOut}
        </button>
      </div>
    </nav>
  );
}

function NavGroup({ group, path, waiting }: { group: Group; path: string; waiting: Record<string, number> }) {
  const shown = pages.filter((page) => page.nav?.group === group && may(page.nav.scope));
  if (!shown.length) return null;
  const id = "nav-" + group;
  return (
    <div class={"nav-part " + id}>
      <h2 class="nav-name" id={id}>
        {text.nav.groups[group]}
      </h2>
      <ul class="nav-group" aria-labelledby={id}>
        {shown.map((page) => (
          <li key={page.path}>
            <a href={link(page.path)} aria-current={isAt(page.path, path) ? "page" : undefined}>
              <svg class="nav-icon" viewBox="0 0 16 16" aria-hidden="true">
                <path d={ICONS[page.path] ?? ""} />
              </svg>
              <span>{page.title}</span>
              {!!waiting[page.path] && (
                <span class="nav-count" title={text.nav.waiting}>
                  {number(waiting[page.path]!)}
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function isAt(page: string, path: string): boolean {
  return match(page, path) !== null || (page !== "/" && path.startsWith(page + "/"));
}
