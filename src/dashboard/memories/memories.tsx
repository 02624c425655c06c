import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { CallAs } from '../parts/call-as.tsx';
import { viewer } from '../parts/session.ts';
import { isTyping } from '../parts/shortcuts.tsx';
import { Detail } from './detail.tsx';
import { Filters } from './filters.tsx';
import { createRows, requestOf, type TableSelection } from './rows.ts';
import { Table } from './table.tsx';

/** All memories of the project, and beside them the one that is selected. */
export function Memories() {
  const [selection, setSelection] = useState<TableSelection>({});
  const [selected, setSelected] = useState<number | null>(null);
  const rows = useMemo(() => createRows(selection), [selection]);
  useEffect(() => {
    setSelected(null);
    void rows.load(1); // failures are kept in `problem`
  }, [rows]);
  const total = rows.total.value;
  useMoveKeys(total ?? 0, setSelected);
  void rows.revision.value;
  const memory = selected === null ? null : rows.at(selected);
  return (
    <div class={memory === null ? 'split' : 'split open'}>
      <section aria-label="List">
        <Filters selection={selection} onChange={setSelection} />
        {rows.problem.value && <p role="alert">{rows.problem.value}</p>}
        <p class="quiet count" role="status">
          {total === null
            ? 'Loading…'
            : `${total.toLocaleString('en')} ${total === 1 ? 'memory' : 'memories'}`}
        </p>
        {total === 0 && <Nothing selection={selection} />}
        {total !== null && total > 0 && (
          <Table rows={rows} selected={selected} onSelect={setSelected} />
        )}
        <CallAs
          call={{
            method: 'POST',
            path: '/v2/memories/',
            operation: 'getMemories',
            body: requestOf(selection, 1),
          }}
        />
      </section>
      {memory !== null && (
        <Detail
          key={memory.id}
          memory={memory}
          mayWrite={viewer.value?.mayWrite === true}
          onClose={() => setSelected(null)}
          onChange={rows.replace}
          onDelete={() => {
            setSelected(null);
            void rows.refresh(); // failures are kept in `problem`
          }}
        />
      )}
    </div>
  );
}

function Nothing({ selection: { keywords, filters } }: { selection: TableSelection }) {
  if (keywords !== undefined || filters !== undefined) {
    return <p class="empty">No memory fits. Remove a condition, or search for another word.</p>;
  }
  return (
    <div class="empty">
      <h2>Nothing is remembered yet</h2>
      <p>Connect a client, then tell it something about you:</p>
      <pre>mneme init</pre>
      <p>Or store a first memory yourself:</p>
      <pre>mneme remember "I prefer window seats."</pre>
    </div>
  );
}

function useMoveKeys(count: number, move: (to: (at: number | null) => number | null) => void) {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || count === 0) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.key === 'j') move((at) => (at === null ? 0 : Math.min(at + 1, count - 1)));
      if (event.key === 'k') move((at) => (at === null ? 0 : Math.max(at - 1, 0)));
      if (event.key === 'Escape') move(() => null);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [count]);
}
