import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Memory } from '../../client.ts';
import { FirstSteps } from '../home/home.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { pastDay } from '../parts/past.tsx';
import { place } from '../parts/place.ts';
import { viewer } from '../parts/session.ts';
import { isTyping } from '../parts/shortcuts.tsx';
import { Bulk, Deleted } from './bulk.tsx';
import { Detail } from './detail.tsx';
import type { EntityRef } from './entity.ts';
import { Filters } from './filters.tsx';
import { Profile } from './profile.tsx';
import { createRows, requestOf, type TableSelection } from './rows.ts';
import { Table } from './table.tsx';

/** All memories of the project, and beside them one of them, or somebody whose they are. */
export function Memories() {
  const linked = place.value.rest;
  return <MemoriesOf key={linked} linked={linked} />;
}

function MemoriesOf({ linked }: { linked: string }) {
  const state = useMemories(linked);
  const { rows, entity, selected, mayWrite, show, select, refresh } = state;
  const total = rows.total.value;
  void rows.revision.value; // draws again when a page arrives
  const memory = selected === null || total === 0 ? null : rows.at(selected);
  return (
    <div class={memory === null && entity === null ? 'split' : 'split open'}>
      <List {...state} />
      {entity !== null && (
        <Profile
          key={JSON.stringify(entity)}
          entity={entity}
          mayWrite={mayWrite}
          onClose={() => select(null)}
          onShow={(one) => show({ filters: { [`${one.entity_type}_id`]: one.entity_id } })}
          onErased={refresh}
        />
      )}
      {entity === null && memory !== null && (
        <Detail
          key={memory.id}
          memory={memory}
          mayWrite={mayWrite}
          onClose={() => select(null)}
          onChange={rows.replace}
          onEntity={state.setEntity}
          onDelete={() => {
            state.setDeleted([memory.id]);
            refresh();
            select(null);
          }}
        />
      )}
    </div>
  );
}

type MemoriesState = ReturnType<typeof useMemories>;

/** What is listed, what is open beside it, and what is chosen. A link to a memory opens it. */
function useMemories(linked: string) {
  const [selection, setSelection] = useState<TableSelection>(
    linked === '' ? {} : { filters: { id: linked } },
  );
  const [selected, setSelected] = useState<number | null>(linked === '' ? null : 0);
  const [entity, setEntity] = useState<EntityRef | null>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<string, Memory>>(new Map());
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const past = pastDay.value;
  const rows = useMemo(() => createRows(selection), [selection, past]);
  useEffect(() => {
    setChosen(new Map());
    void rows.load(1); // failures are kept in `problem`
  }, [rows]);
  const select = (index: number | null | ((at: number | null) => number | null)) => {
    setSelected(index);
    setEntity(null);
  };
  const show = (to: TableSelection) => {
    setSelection(to);
    select(null);
  };
  const refresh = () => void rows.refresh(); // failures are kept in `problem`
  useMoveKeys(rows.total.value ?? 0, select);
  const mayWrite = viewer.value?.mayWrite === true && past === null;
  return {
    selection,
    selected,
    entity,
    chosen,
    deleted,
    rows,
    mayWrite,
    setEntity,
    setChosen,
    setDeleted,
    select,
    show,
    refresh,
  };
}

function List(state: MemoriesState) {
  const { selection, selected, chosen, deleted, rows, mayWrite, select } = state;
  const total = rows.total.value;
  const clear = () => state.setChosen(new Map());
  return (
    <section aria-label="List">
      <Filters selection={selection} onChange={state.show} />
      {rows.problem.value && (
        <p role="alert">
          {rows.problem.value}{' '}
          <button type="button" onClick={state.refresh}>
            Try again
          </button>
        </p>
      )}
      <p class="quiet count" role="status">
        {total === null
          ? 'Loading…'
          : `${total.toLocaleString('en')} ${total === 1 ? 'memory' : 'memories'}`}
      </p>
      {mayWrite && chosen.size > 0 && (
        <Bulk
          memories={[...chosen.values()]}
          onClear={clear}
          onChanged={() => {
            clear();
            select(null);
            state.refresh();
          }}
          onDeleted={state.setDeleted}
        />
      )}
      {deleted.length > 0 && (
        <Deleted ids={deleted} onDismiss={() => state.setDeleted([])} onUndone={state.refresh} />
      )}
      {total === 0 && <Nothing selection={selection} />}
      {total !== null && total > 0 && (
        <Table
          rows={rows}
          selected={selected}
          onSelect={select}
          onEntity={state.setEntity}
          chosen={mayWrite ? chosen : null}
          onChoose={(one) => state.setChosen(toggled(chosen, one))}
        />
      )}
      <CallAs operation="get_memories" input={requestOf(selection, 1)} />
    </section>
  );
}

function toggled(chosen: ReadonlyMap<string, Memory>, memory: Memory): Map<string, Memory> {
  const next = new Map(chosen);
  if (!next.delete(memory.id)) next.set(memory.id, memory);
  return next;
}

function Nothing({ selection: { keywords, filters } }: { selection: TableSelection }) {
  if (keywords !== undefined || filters !== undefined) {
    return <p class="empty">No memory fits. Remove a condition, or search for another word.</p>;
  }
  if (pastDay.value !== null) return <p class="empty">Nothing was remembered yet on that day.</p>;
  return <FirstSteps />;
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
