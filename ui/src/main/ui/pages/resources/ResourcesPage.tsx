import { useState } from "preact/hooks";
import { addressOf, ApiProblem, type Answer } from "../../api/client.ts";
import { proof } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { Copy } from "../../components/Copy.tsx";
import { Empty } from "../../components/Empty.tsx";
import { Facts } from "../../components/Facts.tsx";
import { FilterBox } from "../../components/FilterBox.tsx";
import { Refusal } from "../../components/Refusal.tsx";
import { bytes } from "../../core/format.ts";
import { usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";

const words = text.resources;

type Stored = Answer<"POST /api/resources">;

/** Large values, which are found by their content: a reference leads to one, and there is no list of them. */
export function ResourcesPage() {
  const ref = (usePlace().query.get("ref") ?? "").trim().replace(/^res:\/\//, "");
  const [stored, setStored] = useState<Stored | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const store = async (file: File | undefined) => {
    if (!file) return;
    setProblem(null);
    try {
      const headers: Record<string, string> = { "Content-Type": file.type || "application/octet-stream" };
      if (proof.get()) headers["X-Hapax-CSRF"] = proof.get()!;
      const response = await fetch(addressOf("POST /api/resources"), { method: "POST", headers, body: file, credentials: "same-origin" });
      const answer = (await response.json()) as Stored & { detail?: string };
      if (!response.ok) throw new ApiProblem(response.status, "refused", String(answer.detail));
      setStored(answer);
    } catch (failure) {
      setProblem(failure);
    }
  };
  return (
    <div class="page">
      <header class="page-title">
        <h1>{words.title}</h1>
      </header>
      <p class="lead">{words.lead}</p>
      {!may("resources:read") && (
        <p class="notice tone-warn" role="status">
          {text.state.forbidden("resources:read")}
        </p>
      )}
      <div class="filter-bar">
        <FilterBox name="ref" label={words.ref} />
        {ref && (
          <a class="button" href={addressOf("GET /api/resources/{hash}", { path: { hash: ref } })} download>
            {words.download}
          </a>
        )}
      </div>
      {may("resources:write") && (
        <label class="field resource-file">
          <span>{words.store}</span>
          <input type="file" onChange={(event) => void store(event.currentTarget.files?.[0])} />
          <small>{words.storeSays}</small>
        </label>
      )}
      {problem !== null && <Refusal of={problem} />}
      {stored ? (
        <section role="status">
          <h2>{words.stored}</h2>
          <Facts of={[[words.ref, <span class="mono">{stored.ref}</span>], [words.size, bytes(stored.bytes)], [words.type, stored.contentType]]} />
          <p>
            <Copy label={words.copy} of={() => stored.ref} class="small" />
          </p>
        </section>
      ) : (
        !ref && <Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />
      )}
    </div>
  );
}
