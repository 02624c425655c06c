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
  const pages = createPages();
  const total = signal<number | null>(null);
  const problem = signal('');
  /** Changes with each page that arrives. */
  const revision = signal(0);
  const pause = createPause(() => {
    if (total.value === null) void load(1);
    revision.value += 1; // the rows in view are drawn again, and read
  });

  async function load(page: number): Promise<void> {
    pages.begin(page);
    try {
      const read = await client.getMemories(requestOf(selection, page));
      if (read.total !== total.value) pages.outdate();
      pages.put(page, read.results as Memory[]); // no `fields` were asked for, so all are there
      total.value = read.total;
      problem.value = '';
      pause.forget();
    } catch (error) {
      pages.fail(page);
      problem.value = messageOf(error);
      pause.start();
    }
    revision.value += 1;
  }

  return {
    total,
    problem,
    revision,
    load,
    /** The memory at a place; null until its page has arrived. */
    at(index: number): Memory | null {
      const page = Math.floor(index / pageSize) + 1;
      if (pages.isDue(page) && !pause.isOn()) void load(page); // failures are kept in `problem`
      return pages.find(page)?.[index % pageSize] ?? null;
    },
    replace(memory: Memory): void {
      pages.replace(memory);
      revision.value += 1;
    },
    /** Reads again; what is shown stays until then. */
    async refresh(): Promise<void> {
      pause.end();
      await Promise.all(pages.clear().map(load));
    },
  };
}

function createPages() {
  /** Null while it is read for the first time. */
  const pages = new Map<number, Memory[] | null>();
  /** Those that were read before memories came or went, so their rows may stand elsewhere now. */
  const stale = new Set<number>();
  return {
    find: (page: number) => pages.get(page),
    isDue: (page: number) => !pages.has(page) || stale.has(page),
    begin(page: number): void {
      stale.delete(page);
      pages.set(page, pages.get(page) ?? null);
    },
    put(page: number, rows: Memory[]): void {
      stale.delete(page);
      pages.set(page, rows);
    },
    outdate(): void {
      for (const page of pages.keys()) stale.add(page);
    },
    fail(page: number): void {
      if (pages.get(page) === null) pages.delete(page);
      else stale.add(page);
    },
    replace(memory: Memory): void {
      for (const [page, rows] of pages) {
        pages.set(page, rows?.map((row) => (row.id === memory.id ? memory : row)) ?? null);
      }
    },
    /** The pages that were there, at least the first one. */
    clear(): number[] {
      const shown = pages.size === 0 ? [1] : [...pages.keys()];
      pages.clear();
      stale.clear();
      return shown;
    },
  };
}

/** After a failure: rows that are drawn again must not ask a server that has just refused. */
function createPause(onEnd: () => void) {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const end = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  return {
    isOn: () => timer !== null,
    start(): void {
      if (timer !== null) return;
      const ms = Math.min(pauseFirstMs * 2 ** failures, pauseMaxMs);
      failures += 1;
      const resume = () => {
        end();
        onEnd();
      };
      timer = setTimeout(resume, Math.max(ms, pauseAskedMs()));
    },
    end,
    forget(): void {
      failures = 0;
    },
  };
}

export function requestOf(selection: TableSelection, page: number): GetMemoriesInput {
  return { ...selection, ...asOfPast(), page, page_size: pageSize };
}
