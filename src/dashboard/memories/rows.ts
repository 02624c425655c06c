import { signal } from '@preact/signals';
import type { GetMemoriesInput, Memory } from '../../client.ts';
import { messageOf } from '../parts/message-of.ts';
import { asOfPast } from '../parts/past.tsx';
import { client, pauseAskedMs } from '../parts/session.ts';

const pageSize = 100;

/** After a failure nothing is read for a second, and twice as long after each further one. */
const pauseFirstMs = 1000;
const pauseMaxMs = 60_000;

/** What the table selects. */
export type TableSelection = Pick<GetMemoriesInput, 'keywords' | 'filters'>;

export type Rows = ReturnType<typeof createRows>;

/** The memories of a selection, read a page at a time as they come into view. */
export function createRows(selection: TableSelection) {
  const pages = new Map<number, Memory[] | null>();
  const total = signal<number | null>(null);
  const problem = signal('');
  /** Changes with each page that arrives. */
  const revision = signal(0);
  /** Pages that were read before memories came or went, so their rows may stand elsewhere now. */
  const stale = new Set<number>();
  let failures = 0;
  let pause: ReturnType<typeof setTimeout> | null = null;

  async function load(page: number): Promise<void> {
    pages.set(page, pages.get(page) ?? null);
    try {
      const read = await client.getMemories(requestOf(selection, page));
      if (read.total !== total.value) for (const other of pages.keys()) stale.add(other);
      stale.delete(page);
      pages.set(page, read.results as Memory[]); // no `fields` were asked for, so all are there
      total.value = read.total;
      problem.value = '';
      failures = 0;
    } catch (error) {
      if (pages.get(page) === null) pages.delete(page);
      problem.value = messageOf(error);
      if (pause === null) startPause();
    }
    revision.value += 1;
  }

  /** Rows that are drawn again must not ask a server that has just refused. */
  function startPause(): void {
    const ms = Math.min(pauseFirstMs * 2 ** failures, pauseMaxMs);
    failures += 1;
    pause = setTimeout(endPause, Math.max(ms, pauseAskedMs()));
  }

  function endPause(): void {
    pause = null;
    if (total.value === null) void load(1);
    revision.value += 1; // the rows in view are drawn again, and read
  }

  return {
    total,
    problem,
    revision,
    load,
    /** The memory at a place; null until its page has arrived. */
    at(index: number): Memory | null {
      const page = Math.floor(index / pageSize) + 1;
      const isDue = !pages.has(page) || stale.has(page);
      if (isDue && pause === null) {
        stale.delete(page);
        void load(page); // failures are kept in `problem`
      }
      return pages.get(page)?.[index % pageSize] ?? null;
    },
    replace(memory: Memory): void {
      for (const [page, rows] of pages) {
        const replaced = rows?.map((row) => (row.id === memory.id ? memory : row)) ?? null;
        pages.set(page, replaced);
      }
      revision.value += 1;
    },
    /** Reads again; what is shown stays until then. */
    async refresh(): Promise<void> {
      if (pause !== null) clearTimeout(pause);
      pause = null;
      const shown = [...pages.keys()];
      pages.clear();
      await Promise.all((shown.length === 0 ? [1] : shown).map(load));
    },
  };
}

export function requestOf(selection: TableSelection, page: number): GetMemoriesInput {
  return { ...selection, ...asOfPast(), page, page_size: pageSize };
}
