import type { ComponentChildren } from "preact";
import { useRows } from "./rows";

/** One column of a table. On a narrow screen, its title stands before each cell. */
interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly class?: string;
}

/** A table that becomes a list of cards on a narrow screen. @param caption for screen readers */
export function Table<Row>({
  caption,
  columns,
  rows: all,
  noun,
  keyOf,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The name of several rows: `devices`. */
  readonly noun: string;
  readonly keyOf: (row: Row) => string;
}) {
  const { rows, more } = useRows(all, noun);
  return (
    <>
      <table class="plain stacked">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th scope="col" key={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, class: name }) => (
                <td key={title} data-label={title} class={name}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}
