import { Find } from "./Find.tsx";
import { LiveStatus } from "./LiveStatus.tsx";

export function Top() {
  return (
    <header class="top">
      <Find />
      <LiveStatus />
    </header>
  );
}
