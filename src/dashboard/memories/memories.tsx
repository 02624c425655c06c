import { formatCount } from '../../contract/format-count.ts';
import { useKeys } from '../keyboard/use-keys.ts';
import './memories.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Memory } from '../../contract/schemas/memory.ts';
import { Detail } from '../detail/detail.tsx';
import { FirstSteps } from '../home/first-steps.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { asOfPast } from '../parts/past.tsx';
import { pastDay, place } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { AddMemory } from './add.tsx';
import { Added } from './added.tsx';
import { Bulk, Deleted, type Deletion } from './bulk.tsx';
import { ChooseAll } from './choose-all.tsx';
import { ColumnMenu } from './columns.tsx';
import { ClearAll, Filters, NothingFits } from './filters.tsx';
import { Newer } from './newer.tsx';
import { createRows, requestOf } from './rows.ts';
import { selectionOfParams, setListParams } from './selection.ts';
import { Table } from './table.tsx';

/** All memories of the project, and beside them the one that is open. */
export function Memories() {
  const state = useMemories();
  void state.rows.revision.value; // draws again when a page arrives
  return (
    <div class={state.open === null ? 'split' : 'split open'}>
      <List {...state} />
      {state.open !== null && <OpenMemory key={state.open} {...state} id={state.open} />}
    </div>
  );
}

type MemoriesState = ReturnType<typeof useMemories>;

/** The list, the open memory and the chosen ones; most of this state is in the address. */
function useMemories() {
  const { path, params } = place.value;
  const past = pastDay.value;
  const [chosen, setChosen] = useState<ReadonlyMap<string, Memory>>(new Map());
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  const { selection, problem: selectionProblem } = selectionOfParams(params);
  const key = JSON.stringify([selection, selectionProblem, past]);
  const rows = useMemo(() => createRows(selection), [key]);
  useEffect(() => {
    setChosen(new Map());
    if (selectionProblem === '') void rows.load(1); // failures are kept in `problem`
  }, [rows]);
  const open = params.open ?? (path === '' ? null : path);
  const show = (id: string) => setListParams({ open: id }, { replace: open !== null });
  useMoveKeys({ rows, open, show });
  return {
    selection,
    selectionProblem,
    open,
    chosen,
    deletion,
    rows,
    mayWrite: viewer.value?.mayWrite === true && past === null,
    setChosen,
    setDeletion,
    show,
    close,
    refresh: () => void rows.refresh(), // failures are kept in `problem`
  };
}

function close(): void {
  const { path } = place.value;
  setListParams({ open: undefined }, { replace: path !== '' });
}

/** The memory that is open, which need not be among those that are listed. */
function OpenMemory({ id, rows, mayWrite, setDeletion, refresh }: MemoriesState & { id: string }) {
  const [update, setUpdate] = useState<Memory | null>(null);
  const read = async () => rows.find(id) ?? client.getMemory({ memory_id: id, ...asOfPast() });
  const { value, problem, reload } = useLoaded(read, `${id} ${pastDay.value}`);
  const memory = rows.find(id) ?? update ?? value;
  if (memory === null) {
    return (
      <aside class="detail" aria-label="Memory">
        <button type="button" onClick={close}>
          Close
        </button>
        {problem === '' ? <p>Loading…</p> : <Problem problem={problem} reload={reload} />}
      </aside>
    );
  }
  return (
    <Detail
      memory={memory}
      mayWrite={mayWrite}
      onClose={close}
      onChange={(one) => {
        setUpdate(one);
        rows.replace(one);
      }}
      onDelete={() => {
        setDeletion({ count: 1, undo: [{ memory_id: id }], isPartial: false });
        refresh();
        close();
      }}
    />
  );
}

function List(state: MemoriesState) {
  const { selection, selectionProblem, open, chosen, rows, mayWrite } = state;
  const total = rows.total.value;
  const problem = selectionProblem || rows.problem.value;
  return (
    <section aria-label="List">
      <Filters selection={selection} isRefused={problem !== '' && total === null} />
      <ListProblem {...state} />
      <div class="list-bar">
        <p class="quiet count" role="status">
          {countText(total, problem)}
        </p>
        {selectionProblem === '' && <Newer rows={rows} />}
        {mayWrite && <ChooseAll {...state} />}
        <ColumnMenu />
        {mayWrite && <AddMemory filters={selection.filters} onAdded={state.refresh} />}
      </div>
      <Added />
      {total === 0 && <Nothing {...state} />}
      {total !== null && total > 0 && (
        <Table
          rows={rows}
          sort={selection.sort}
          selected={open === null ? null : rows.placeOf(open)}
          onSelect={({ id }) => state.show(id)}
          chosen={mayWrite ? chosen : null}
          onChoose={(one) => state.setChosen(toggled(chosen, one))}
        />
      )}
      <Below {...state} />
      <CallAs operation="get_memories" input={requestOf(selection, 1)} />
    </section>
  );
}

/** Below the rows, which stay where they are while the first one is chosen. */
function Below({ chosen, deletion, mayWrite, setChosen, setDeletion, refresh }: MemoriesState) {
  const clear = () => setChosen(new Map());
  return (
    <>
      {mayWrite && chosen.size > 0 && (
        <Bulk
          memories={[...chosen.values()]}
          onClear={clear}
          onChanged={(done) => {
            setChosen((now) => without(now, done));
            close();
            refresh();
          }}
          onDeleted={(more) => setDeletion((now) => (now?.isPartial ? joined(now, more) : more))}
        />
      )}
      {deletion !== null && (
        <Deleted deletion={deletion} onDismiss={() => setDeletion(null)} onUndone={refresh} />
      )}
    </>
  );
}

/** Shows an error, and clears the wrong filters or tries again. */
function ListProblem({ selectionProblem, rows }: MemoriesState) {
  if (selectionProblem === '')
    return <Problem problem={rows.problem.value} reload={rows.refresh} />;
  return (
    <p role="alert">
      {selectionProblem} <ClearAll sort />
    </p>
  );
}

function countText(total: number | null, problem: string): string {
  if (total === null) return problem === '' ? 'Loading…' : '';
  return formatCount(total, 'memory', 'memories');
}

function toggled(chosen: ReadonlyMap<string, Memory>, memory: Memory): Map<string, Memory> {
  const next = new Map(chosen);
  if (!next.delete(memory.id)) next.set(memory.id, memory);
  return next;
}

function without(chosen: ReadonlyMap<string, Memory>, done: readonly Memory[]) {
  const next = new Map(chosen);
  for (const { id } of done) next.delete(id);
  return next;
}

function joined(one: Deletion, more: Deletion): Deletion {
  return { ...more, count: one.count + more.count, undo: [...one.undo, ...more.undo] };
}

function Nothing({ selection }: Pick<MemoriesState, 'selection'>) {
  const { keywords, filters } = selection;
  if (keywords !== undefined || filters !== undefined) return <NothingFits selection={selection} />;
  if (pastDay.value !== null) return <p class="empty">Nothing was remembered yet on that day.</p>;
  return <FirstSteps />;
}

type Moves = Pick<MemoriesState, 'rows' | 'open' | 'show'>;

function useMoveKeys({ rows, open, show }: Moves) {
  const move = (step: number) => {
    const count = rows.total.value ?? 0;
    if (count === 0) return;
    const at = open === null ? null : rows.placeOf(open);
    const next = at === null ? 0 : Math.max(0, Math.min(at + step, count - 1));
    const memory = rows.at(next);
    if (memory !== null) show(memory.id);
  };
  const moves = { j: () => move(1), k: () => move(-1) };
  useKeys(open === null ? moves : { ...moves, Escape: close });
}
