import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Memory } from '../../client.ts';
import { shownDay } from '../parts/times.ts';
import { type EntityRef, ownerOf } from './entity.ts';
import type { Rows } from './rows.ts';

const rowHeight = 44;

type TableProps = {
  rows: Rows;
  selected: number | null;
  onSelect: (index: number) => void;
  onEntity: (entity: EntityRef) => void;
  /** Those to do something with; null where nothing can be done. */
  chosen: ReadonlyMap<string, Memory> | null;
  onChoose: (memory: Memory) => void;
};

/** A table of any length, of which only the rows in view exist. */
export function Table({ rows, selected, onSelect, ...row }: TableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const count = rows.total.value ?? 0;
  void rows.revision.value; // draws again when a page arrives
  const virtual = useVirtual(scroller, count);
  useEffect(() => {
    if (selected !== null) virtual.scrollToIndex(selected, { align: 'auto' });
  }, [selected]);
  const height = virtual.getTotalSize();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <div class="table" ref={scroller} tabIndex={0}>
      <ul aria-label="Memories" style={{ height: `${height}px` }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <li
            key={index}
            aria-posinset={index + 1}
            aria-setsize={count}
            class={index === selected ? 'row selected' : 'row'}
            style={{ transform: `translateY(${start}px)` }}
          >
            <MemoryRow
              memory={rows.at(index)}
              isSelected={index === selected}
              onSelect={() => onSelect(index)}
              {...row}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

type MemoryRowProps = Pick<TableProps, 'onEntity' | 'chosen' | 'onChoose'> & {
  memory: Memory | null;
  isSelected: boolean;
  onSelect: () => void;
};

function MemoryRow({ memory, isSelected, onSelect, onEntity, chosen, onChoose }: MemoryRowProps) {
  if (memory === null) return <span class="quiet">Loading…</span>;
  const { id, memory: text, pinned, categories, created_at } = memory;
  const owner = ownerOf(memory);
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
        <button type="button" class="plain" aria-pressed={isSelected} onClick={onSelect} dir="auto">
          {pinned && <span class="tag">pinned</span>}
          {text}
        </button>
      </span>
      <span class="wide quiet">{categories.join(', ')}</span>
      <span class="wide quiet">
        {owner !== null && (
          <button
            type="button"
            class="plain quiet"
            aria-label={`Profile of ${owner.entity_id}`}
            onClick={() => onEntity(owner)}
            dir="auto"
          >
            {owner.entity_id}
          </button>
        )}
      </span>
      <time class="quiet time" dateTime={created_at}>
        {shownDay(created_at)}
      </time>
    </>
  );
}

function useVirtual(scroller: { current: HTMLDivElement | null }, count: number) {
  const [, redraw] = useState({});
  const [virtual] = useState(
    () => new Virtualizer<HTMLDivElement, HTMLDivElement>(optionsFor(scroller, count)),
  );
  virtual.setOptions({ ...optionsFor(scroller, count), onChange: () => redraw({}) });
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  return virtual;
}

function optionsFor(scroller: { current: HTMLDivElement | null }, count: number) {
  return {
    count,
    estimateSize: () => rowHeight,
    getScrollElement: () => scroller.current,
    observeElementOffset,
    observeElementRect,
    scrollToFn: elementScroll,
    overscan: 8,
  };
}
