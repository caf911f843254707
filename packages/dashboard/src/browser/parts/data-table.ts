import type { VNode } from 'preact';
import { type Children, html } from '../html.ts';

export interface Column<Row> {
  /** Names the column in the URL when it is sorted by. */
  readonly key: string;
  readonly label: string;
  /** More words for the label, on hover. */
  readonly title?: string;
  /** Figures stand at the end, so that their digits line up. */
  readonly align?: 'start' | 'end';
  readonly cell: (row: Row) => Children;
  /** What rows are ordered by; a column without it cannot be sorted. Null comes last either way. */
  readonly sortBy?: (row: Row) => number | string | null;
}

export interface Sort {
  readonly key: string;
  readonly direction: 'ascending' | 'descending';
}

export interface DataTableProps<Row> {
  /** What the table holds, for who does not see what stands above it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly sort?: Sort | null;
  readonly onSort?: (sort: Sort) => void;
}

/** A table of rows with the first column as their headers. On a narrow screen it scrolls sideways, its first column staying in sight. */
export function DataTable<Row>({ caption, columns, rows, rowKey, sort, onSort }: DataTableProps<Row>): VNode {
  return html`
    <div class="table-scroll" role="region" aria-label=${caption} tabindex="0">
      <table>
        <caption class="visually-hidden">${caption}</caption>
        <thead>
          <tr>${columns.map((column) => html`<${HeaderCell} key=${column.key} column=${column} sort=${sort} onSort=${onSort} />`)}</tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) => html`
              <tr key=${rowKey(row)}>
                ${columns.map(({ key, align, cell }, index) =>
                  index === 0
                    ? html`<th key=${key} scope="row">${cell(row)}</th>`
                    : html`<td key=${key} class=${align === 'end' ? 'figure' : undefined}>${cell(row)}</td>`,
                )}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

interface HeaderCellProps {
  readonly column: Column<never>;
  readonly sort: Sort | null | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
}

function HeaderCell({ column, sort, onSort }: HeaderCellProps): VNode {
  const { key, label, title, align, sortBy } = column;
  const className = align === 'end' ? 'figure' : undefined;
  if (sortBy === undefined || onSort === undefined) {
    return html`<th scope="col" class=${className} title=${title}>${label}</th>`;
  }
  const direction = sort?.key === key ? sort.direction : undefined;
  // Figures are wanted largest first, names from A.
  const first = align === 'end' ? 'descending' : 'ascending';
  const next = direction === undefined ? first : direction === 'ascending' ? 'descending' : 'ascending';
  return html`
    <th scope="col" class=${className} aria-sort=${direction}>
      <button type="button" class="sort" title=${title} onClick=${() => onSort({ key, direction: next })}>
        ${label}<span class="sort-mark" aria-hidden="true">${direction === undefined ? '' : direction === 'ascending' ? '↑' : '↓'}</span>
      </button>
    </th>
  `;
}

/** Rows in the order of a column; those of which it is not known come last, and equals stay as they were. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | null,
): readonly Row[] {
  const sortBy = columns.find(({ key }) => key === sort?.key)?.sortBy;
  if (sort === null || sortBy === undefined) return rows;
  const sign = sort.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((left, right) => {
    const [a, b] = [sortBy(left), sortBy(right)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (typeof a === 'string' && typeof b === 'string' ? a.localeCompare(b) : Number(a) - Number(b));
  });
}

/** The sort as the URL holds it: `key` or `-key` for descending; null where it names no column that can be sorted. */
export function readSort<Row>(text: string | null, columns: readonly Column<Row>[]): Sort | null {
  const key = text?.replace(/^-/, '');
  if (text === null || !columns.some((column) => column.key === key && column.sortBy !== undefined)) return null;
  return { key: key as string, direction: text.startsWith('-') ? 'descending' : 'ascending' };
}

export function writeSort({ key, direction }: Sort): string {
  return direction === 'descending' ? `-${key}` : key;
}
