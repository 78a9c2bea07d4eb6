import "./table.css";
import type { ComponentChildren } from "preact";
import { useRows } from "../core/rows.ts";

/** A column: its name, what it shows of a row, and how. */
export interface Column<T> {
  name: string;
  show: (row: T) => ComponentChildren;
  /** short: one line; long: at most two; minor: left out on a phone. */
  kind?: "short" | "long" | "number" | "minor" | "actions";
}

/** A list as a table. Keys walk through its rows; Enter opens one. */
export function Table<T>({ label, columns, rows, keyOf, hrefOf }: {
  label: string;
  columns: Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  hrefOf?: (row: T) => string;
}) {
  const { selected, list } = useRows(hrefOf ? rows.map(hrefOf) : []);
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={label}>
      <table class="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column)}>
                {column.kind === "actions" ? <span class="sr">{column.name}</span> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={list}>
          {rows.map((row, i) => (
            <tr key={keyOf(row)} class={i === selected ? "selected" : ""}>
              {columns.map((column, n) => (
                <td key={column.name} class={classOf(column)} data-label={n > 0 && column.kind !== "actions" ? column.name : undefined}>
                  {n === 0 && hrefOf ? <a href={hrefOf(row)}>{column.show(row)}</a> : column.kind === "long" ? <span>{column.show(row)}</span> : column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf(column: Column<never>): string | undefined {
  return column.kind && "cell-" + column.kind;
}
