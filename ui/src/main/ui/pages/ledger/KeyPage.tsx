import "./ledger.css";
import { useCall } from "../../api/use.ts";
import { Copy } from "../../components/Copy.tsx";
import { Empty } from "../../components/Empty.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { Show } from "../../components/Show.tsx";
import { link, usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";
import { EffectPage } from "./EffectPage.tsx";

const words = text.ledger;

/** An effect by its name and key; also one whose record has expired, of which only a tombstone is left. */
export function KeyPage() {
  const { query } = usePlace();
  const name = query.get("name") ?? "";
  const key = query.get("key") ?? "";
  const found = useCall("GET /api/effects", { query: { name, key, limit: "1" } });
  const id = found.data?.items[0]?.id;
  return id ? <EffectPage id={id} /> : <Show of={found}>{() => <Tombstone name={name} effectKey={key} />}</Show>;
}

function Tombstone({ name, effectKey }: { name: string; effectKey: string }) {
  const receipt = useCall("GET /api/receipts", { query: { name, key: effectKey } });
  if (receipt.problem?.status === 404) return <Empty title={words.unknownKey} hint={receipt.problem.message} />;
  return (
    <Show of={receipt}>
      {(signed) => (
        <article class="page">
          <p class="crumbs">
            <a href={link("/ledger")}>{words.title}</a> › {name}
          </p>
          <header class="page-title">
            <h1 class="effect-key">{effectKey}</h1>
            <div class="push">
              <Copy label={words.copyReceipt} of={() => JSON.stringify(signed, null, 2)} />
            </div>
          </header>
          <p class="notice tone-quiet">{words.tombstone}</p>
          <JsonView title={words.signed} value={signed} />
        </article>
      )}
    </Show>
  );
}
