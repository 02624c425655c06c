import { useState } from 'preact/hooks';
import { FilterMenus } from './filter-menus.tsx';
import type { TableSelection } from './rows.ts';
import {
  filterProblem,
  noConditions,
  paramsOfFilters,
  parseObject,
  selectBy,
} from './selection.ts';

type FiltersProps = { selection: TableSelection; isRefused: boolean };

/** Words to search for, and conditions as menus, as chips and as the JSON of the API. */
export function Filters({ selection, isRefused }: FiltersProps) {
  const { keywords, filters = {} } = selection;
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="filters">
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          const words = String(new FormData(event.currentTarget).get('keywords')).trim();
          selectBy({ keywords: words || undefined });
        }}
      >
        <input
          type="search"
          name="keywords"
          aria-label="Words in the text"
          placeholder="Words in the text  ( / )"
          key={keywords}
          defaultValue={keywords ?? ''}
        />
        <button type="submit">Search</button>
      </form>
      {!isRefused && <Chips selection={selection} />}
      <details onToggle={({ currentTarget: { open } }) => setOpen(open)}>
        <summary>Filter</summary>
        {isOpen && <FilterMenus />}
        <JsonFilter key={JSON.stringify(filters)} filters={filters} />
      </details>
    </div>
  );
}

function Chips({
  selection: { keywords, filters = {}, show_expired },
}: {
  selection: TableSelection;
}) {
  const paramsWithout = (field: string) => {
    const others = Object.entries(filters).filter(([name]) => name !== field);
    return paramsOfFilters(Object.fromEntries(others));
  };
  const chips = Object.entries(filters).map(([field, value]) => ({
    field,
    text: `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    remove: paramsWithout(field),
  }));
  if (keywords) {
    const text = `words: ${keywords}`;
    chips.unshift({ field: 'keywords', text, remove: { keywords: undefined } });
  }
  if (show_expired) {
    const remove = { show_expired: undefined };
    chips.push({ field: 'show_expired', text: 'expired ones too', remove });
  }
  return (
    <ul class="chips" aria-label="Conditions">
      {chips.map(({ field, text, remove }) => (
        <li key={field}>
          <button
            type="button"
            aria-label={`Remove the condition ${field}`}
            onClick={() => selectBy(remove)}
            dir="auto"
          >
            {text} ×
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <ClearAll />
        </li>
      )}
    </ul>
  );
}

/** Clears filters that can't be read, and on request the order too, which may be the error. */
export function ClearAll({ sort = false }: { sort?: boolean }) {
  return (
    <button
      type="button"
      onClick={() => selectBy(sort ? { ...noConditions, sort: undefined } : noConditions)}
    >
      Clear all
    </button>
  );
}

function JsonFilter({ filters }: { filters: Record<string, unknown> }) {
  const [problem, setProblem] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const input = parseObject(String(new FormData(event.currentTarget).get('filters')));
        const error = input === null ? 'This is not a JSON object.' : filterProblem(input);
        setProblem(error);
        if (input !== null && error === '') selectBy(paramsOfFilters(input));
      }}
    >
      <label for="filters">Conditions as the API takes them</label>
      <textarea
        id="filters"
        name="filters"
        rows={3}
        spellcheck={false}
        defaultValue={JSON.stringify(filters)}
      />
      {problem && <p role="alert">{problem}</p>}
      <button type="submit">Apply</button>
    </form>
  );
}

/** Says which conditions leave no memory, and clears them. */
export function NothingFits({ selection }: { selection: TableSelection }) {
  const { keywords, filters = {} } = selection;
  const names = [...(keywords ? ['words'] : []), ...Object.keys(filters)];
  return (
    <div class="empty">
      <p>No memory fits {names.join(', ')}. Remove a condition, or search for another word.</p>
      <ClearAll />
    </div>
  );
}
