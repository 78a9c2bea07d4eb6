import type { ComponentChildren } from "preact";
import type { Paged } from "../api/paged.ts";
import { More } from "./More.tsx";
import { Show } from "./Show.tsx";
import { Table, type Column } from "./Table.tsx";

/** A page that is one list: its title, what it is about, filters, rows, and what to do if there are none. */
export function ListPage<T>({ title, lead, actions, filters, of, columns, keyOf, hrefOf, empty, children }: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  filters?: ComponentChildren;
  of: Paged<unknown, T>;
  columns: Column<T>[];
  keyOf: (row: T) => string;
  hrefOf?: (row: T) => string;
  empty: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="page">
      <header class="page-title">
        <h1>{title}</h1>
        {actions && <div class="push">{actions}</div>}
      </header>
      {lead && <p class="lead">{lead}</p>}
      {filters && <div class="filter-bar">{filters}</div>}
      <Show of={of}>
        {(pages) =>
          pages.items.length === 0 ? (
            empty
          ) : (
            <Table label={title} columns={columns} rows={pages.items} keyOf={keyOf} {...(hrefOf ? { hrefOf } : {})} />
          )
        }
      </Show>
      <More of={of} />
      {children}
    </div>
  );
}
