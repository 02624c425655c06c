import { signal } from '@preact/signals';
import type { Sent } from '../../client/operations.ts';
import { limits } from '../../contract/limits.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { messageOf } from '../parts/message-of.ts';
import { asOfPast } from '../parts/past.tsx';
import { client, pauseAskedMs } from '../parts/session.ts';

const pageSize = 100;

/** One request can read this many, and change this many. */
export const chosenMax = Math.min(limits.page_size_max, limits.batch_size_max);

/** After a failure nothing is read for a second, and twice as long after each further one. */
const pauseFirstMs = 1000;
const pauseMaxMs = 60_000;

/** What the table selects. */
export type TableSelection = Pick<
  Sent<'get_memories'>,
  'keywords' | 'filters' | 'show_expired' | 'sort'
>;

export type Rows = ReturnType<typeof createRows>;

/** The memories of a selection, read a page at a time as they come into view. */
export function createRows(selection: TableSelection) {
  const pages = createPages();
  const signals = createSignals();
  const { total, problem, draw } = signals;
  const pause = createPause(() => (total.value === null ? void load(1) : draw()));

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
    draw();
  }

  return {
    ...signals,
    load,
    /** The memory at a place; null until its page has arrived. */
    at(index: number): Memory | null {
      const page = pageOf(index);
      if (pages.isDue(page) && !pause.isOn()) void load(page); // failures are kept in `problem`
      return pages.at(index);
    },
    ...lookups(pages),
    /** The first of them, as many as can be changed at once. */
    readMany: () => readMany(selection),
    countNew: () => countSince(selection, total.value),
    replace(memory: Memory): void {
      pages.replace(memory);
      draw();
    },
    /** Reads again; what is shown stays until then. */
    async refresh(): Promise<void> {
      pause.end();
      await Promise.all(pages.numbers().map(load));
    },
  };
}

function createSignals() {
  const revision = signal(0);
  return {
    total: signal<number | null>(null),
    problem: signal(''),
    /** Changes with each page that arrives. */
    revision,
    /** Draws the rows in view again, which reads those that are missing. */
    draw(): void {
      revision.value += 1;
    },
  };
}

/** The rows that have been read. */
function lookups(pages: ReturnType<typeof createPages>) {
  return {
    some: (is: (memory: Memory) => boolean) => pages.all().some(is),
    find: (id: string) => pages.all().find((memory) => memory.id === id) ?? null,
    /** The index of a memory; null if it has not been read. */
    placeOf: (id: string) => pages.placeOf((memory) => memory.id === id),
  };
}

/** How many more there are than `total`; negative if some have gone. */
async function countSince(selection: TableSelection, total: number | null): Promise<number> {
  if (total === null) return 0;
  // Only reading the first page is recorded as a retrieval.
  const input = { ...requestOf(selection, 2), page_size: 1 };
  const page = await client.getMemories({ ...input, fields: ['id'] });
  return page.total - total;
}

async function readMany(selection: TableSelection): Promise<Memory[]> {
  const input = { ...requestOf(selection, 1), page_size: chosenMax };
  const { results } = await client.getMemories(input);
  return results as Memory[]; // no `fields` were asked for, so all are there
}

const pageOf = (index: number) => Math.floor(index / pageSize) + 1;

function createPages() {
  /** Null while it is read for the first time. */
  const pages = new Map<number, Memory[] | null>();
  /** Pages that were read before memories came or went: their rows may have moved since. */
  const stale = new Set<number>();
  return {
    at: (index: number) => pages.get(pageOf(index))?.[index % pageSize] ?? null,
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
    all: () => [...pages.values()].flatMap((rows) => rows ?? []),
    placeOf(is: (memory: Memory) => boolean): number | null {
      for (const [page, rows] of pages) {
        const index = rows?.findIndex(is) ?? -1;
        if (index !== -1) return (page - 1) * pageSize + index;
      }
      return null;
    },
    /** The numbers of the pages that are there, at least the first one. */
    numbers: () => (pages.size === 0 ? [1] : [...pages.keys()]),
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

export function requestOf(selection: TableSelection, page: number): Sent<'get_memories'> {
  return { ...selection, ...asOfPast(), page, page_size: pageSize };
}
