import { signal } from '@preact/signals';
import { readStored, writeStored } from '../parts/stored.ts';
import type { TableSelection } from './rows.ts';
import { selectBy, setListParams, sortAfterClick } from './selection.ts';

/** The columns beside the text, with their titles. */
export const columnTitles = {
  category: 'Category',
  owner: 'Owner',
  type: 'Type',
  source: 'Source',
  created: 'Created',
  updated: 'Updated',
  expires: 'Expires',
} as const;

export type ColumnName = keyof typeof columnTitles;

const names = Object.keys(columnTitles) as ColumnName[];
const usual: readonly ColumnName[] = ['category', 'owner', 'created'];

/** The columns that the person chose in this browser. */
export const chosenColumns = signal<readonly ColumnName[]>(readChosen());

function readChosen(): readonly ColumnName[] {
  const choice = readStored('columns')?.split(',');
  return choice === undefined ? usual : names.filter((name) => choice.includes(name));
}

function toggle(name: ColumnName): void {
  const now = chosenColumns.value;
  chosenColumns.value = names.filter((one) => (one === name) !== now.includes(one));
  writeStored('columns', chosenColumns.value.join(','));
}

export function ColumnMenu() {
  return (
    <details class="column-menu">
      <summary>Columns</summary>
      <fieldset>
        <legend class="hidden">Columns</legend>
        {names.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={chosenColumns.value.includes(name)}
              onChange={() => toggle(name)}
            />{' '}
            {columnTitles[name]}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

const sortFields = { created: 'created_at', updated: 'updated_at' } as const;

type HeadsProps = { columns: readonly ColumnName[]; sort: TableSelection['sort']; hasBox: boolean };

/** The names of the columns; those of times sort by them. */
export function Heads({ columns, sort = '-created_at', hasBox }: HeadsProps) {
  return (
    <div class="heads">
      {hasBox && <span />}
      <span class="text">Memory</span>
      {columns.map((name) => {
        if (name !== 'created' && name !== 'updated') {
          return <span key={name}>{columnTitles[name]}</span>;
        }
        const column = sortFields[name];
        const next = sortAfterClick(column, sort);
        const order = next.startsWith('-') ? 'newest first' : 'oldest first';
        const arrow = sort === column ? ' ↑' : sort === `-${column}` ? ' ↓' : '';
        return (
          <button
            key={name}
            type="button"
            class="plain"
            aria-pressed={arrow !== ''}
            aria-label={`Sort by ${name}, ${order}`}
            onClick={() => setListParams({ sort: next === '-created_at' ? undefined : next })}
          >
            {columnTitles[name]}
            {arrow}
          </button>
        );
      })}
    </div>
  );
}

/** A value that sets the filter for it. */
export function FilterBy({ param, value }: { param: string; value: string }) {
  return (
    <button
      type="button"
      class="plain quiet"
      aria-label={`Filter by ${param} ${value}`}
      onClick={() => selectBy({ [param]: value })}
      dir="auto"
    >
      {value}
    </button>
  );
}
