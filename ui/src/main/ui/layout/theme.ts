import { kept } from "../core/kept.ts";

export type Theme = "system" | "light" | "dark";

export const theme = kept<Theme>("theme", "system");

/** The style sheet follows the system unless the page names a theme. */
export function applyTheme(): void {
  const apply = () => {
    const chosen = theme.get();
    if (chosen === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
  };
  theme.follow(apply);
  apply();
}
