import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Memory } from '../../contract/schemas/memory.ts';
import { ownersOf } from '../owners/owner-link.tsx';
import { Ago } from '../parts/ago.tsx';
import { type ColumnName, chosenColumns, FilterBy, Heads } from './columns.tsx';
import type { Rows, TableSelection } from './rows.ts';

/** Without room for columns, a row has two lines of text, and below them whose it is and when. */
const narrow = matchMedia('(max-width: 800px)');
const rowHeightOf = () => (narrow.matches ? 84 : 44);

/** Browsers draw no element that is higher than some 16 million pixels. */
const heightMax = 16_000_000;

type TableProps = {
  rows: Rows;
  sort: TableSelection['sort'];
  selected: number | null;
  onSelect: (memory: Memory) => void;
  /** The chosen memories; null if the list has no actions. */
  chosen: ReadonlyMap<string, Memory> | null;
  onChoose: (memory: Memory) => void;
};

/** A table of any length, of which only the rows in view exist. */
export function Table({ rows, sort, selected, onSelect, ...row }: TableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const total = rows.total.value ?? 0;
  const count = Math.min(total, Math.floor(heightMax / rowHeightOf()));
  void rows.revision.value; // draws again when a page arrives
  const virtual = useVirtual(scroller, count);
  useEffect(() => {
    if (selected !== null) virtual.scrollToIndex(selected, { align: 'auto' });
  }, [selected]);
  const columns = chosenColumns.value.filter(
    (name) => name !== 'category' || rows.some(({ categories }) => categories.length > 0),
  );
  const tracks = columns.map(() => 'minmax(72px, 112px)').join(' ');
  const box = row.chosen === null ? '' : '16px ';
  return (
    <div class="listed" style={{ '--tracks': `${box}minmax(0, 1fr) ${tracks}` }}>
      <Heads columns={columns} sort={sort} hasBox={row.chosen !== null} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <div class="table" ref={scroller} tabIndex={0}>
        <ul aria-label="Memories" style={{ height: `${virtual.getTotalSize()}px` }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <li
              key={index}
              aria-posinset={index + 1}
              aria-setsize={total}
              class={index === selected ? 'row selected' : 'row'}
              style={{ transform: `translateY(${start}px)` }}
            >
              <MemoryRow
                memory={rows.at(index)}
                columns={columns}
                isSelected={index === selected}
                onSelect={onSelect}
                {...row}
              />
            </li>
          ))}
        </ul>
      </div>
      {count < total && (
        <p class="quiet">
          The first {count.toLocaleString('en')} are listed. A filter or the other order shows the
          rest.
        </p>
      )}
    </div>
  );
}

type MemoryRowProps = Pick<TableProps, 'chosen' | 'onChoose' | 'onSelect'> & {
  memory: Memory | null;
  columns: readonly ColumnName[];
  isSelected: boolean;
};

function MemoryRow({ memory, columns, isSelected, onSelect, chosen, onChoose }: MemoryRowProps) {
  if (memory === null) return <span class="quiet">Loading…</span>;
  const { id, memory: text, pinned, created_at } = memory;
  const [owner] = ownersOf(memory);
  return (
    <>
      {chosen !== null && (
        <input
          type="checkbox"
          aria-label={`Choose ${text.slice(0, 80)}`}
          checked={chosen.has(id)}
          onChange={() => onChoose(memory)}
        />
      )}
      <span class="text">
        <button
          type="button"
          class="plain"
          aria-pressed={isSelected}
          onClick={() => onSelect(memory)}
          dir="auto"
        >
          {pinned && <span class="tag">pinned</span>}
          {text}
        </button>
        <span class="below quiet" dir="auto">
          {owner !== undefined && `${owner.id} · `}
          <Ago instant={created_at} />
        </span>
      </span>
      {columns.map((name) => (
        <span key={name} class={`wide quiet ${name}`}>
          <Cell name={name} memory={memory} />
        </span>
      ))}
    </>
  );
}

function Cell({ name, memory }: { name: ColumnName; memory: Memory }) {
  if (name === 'created') return <Ago instant={memory.created_at} />;
  if (name === 'updated') return <Ago instant={memory.updated_at} />;
  if (name === 'type') return memory.type;
  if (name === 'source') return memory.source_class;
  if (name === 'expires') return memory.expiration_date;
  if (name === 'owner') {
    const [owner] = ownersOf(memory);
    if (owner === undefined) return null;
    return <FilterBy param={`${owner.type}_id`} value={owner.id} />;
  }
  return memory.categories.map((value) => <FilterBy key={value} param="category" value={value} />);
}

function useVirtual(scroller: { current: HTMLDivElement | null }, count: number) {
  const [, redraw] = useState({});
  const [virtual] = useState(
    () => new Virtualizer<HTMLDivElement, HTMLDivElement>(optionsFor(scroller, count)),
  );
  virtual.setOptions({ ...optionsFor(scroller, count), onChange: () => redraw({}) });
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  useEffect(() => {
    const measure = () => virtual.measure();
    narrow.addEventListener('change', measure);
    return () => narrow.removeEventListener('change', measure);
  }, []);
  return virtual;
}

function optionsFor(scroller: { current: HTMLDivElement | null }, count: number) {
  return {
    count,
    estimateSize: rowHeightOf,
    getScrollElement: () => scroller.current,
    observeElementOffset,
    observeElementRect,
    scrollToFn: elementScroll,
    overscan: 8,
  };
}
