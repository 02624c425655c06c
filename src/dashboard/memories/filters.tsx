import { useState } from 'preact/hooks';
import { isObject } from '../../contract/is-object.ts';
import type { TableSelection } from './rows.ts';

type FiltersProps = { selection: TableSelection; onChange: (selection: TableSelection) => void };

/** Words to search for, and conditions as chips or as the JSON of the API. */
export function Filters({ selection, onChange }: FiltersProps) {
  const { keywords, filters } = selection;
  const change = (words: string | undefined, conditions: TableSelection['filters']) => {
    const isAny = conditions !== undefined && Object.keys(conditions).length > 0;
    onChange({
      ...(words ? { keywords: words } : undefined),
      ...(isAny ? { filters: conditions } : undefined),
    });
  };
  return (
    <div class="filters">
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          change(String(data.get('keywords')).trim(), filters);
        }}
      >
        <input
          type="search"
          name="keywords"
          aria-label="Words in the text"
          placeholder="Words in the text  ( / )"
          defaultValue={keywords ?? ''}
        />
        <button type="submit">Search</button>
      </form>
      <ul class="chips" aria-label="Conditions">
        {Object.entries(filters ?? {}).map(([field, value]) => (
          <li key={field}>
            <button
              type="button"
              aria-label={`Remove the condition ${field}`}
              onClick={() => {
                const others = Object.entries(filters ?? {}).filter(([name]) => name !== field);
                change(keywords, Object.fromEntries(others));
              }}
            >
              {field}: {typeof value === 'string' ? value : JSON.stringify(value)} ×
            </button>
          </li>
        ))}
      </ul>
      <JsonFilter filters={filters} onChange={(conditions) => change(keywords, conditions)} />
    </div>
  );
}

type JsonFilterProps = {
  filters: TableSelection['filters'];
  onChange: (filters: TableSelection['filters']) => void;
};

function JsonFilter({ filters, onChange }: JsonFilterProps) {
  const [problem, setProblem] = useState('');
  return (
    <details>
      <summary>Filter</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const text = String(new FormData(event.currentTarget).get('filters'));
          const parsed = parseObject(text);
          setProblem(parsed === null ? 'This is not a JSON object.' : '');
          if (parsed !== null) onChange(parsed);
        }}
      >
        <label for="filters">Conditions as the API takes them</label>
        <textarea
          id="filters"
          name="filters"
          rows={3}
          spellcheck={false}
          key={JSON.stringify(filters)}
          defaultValue={JSON.stringify(filters ?? { user_id: '*' })}
        />
        {problem && <p role="alert">{problem}</p>}
        <button type="submit">Apply</button>
      </form>
    </details>
  );
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
