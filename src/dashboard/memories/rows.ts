import { signal } from '@preact/signals';
import type { GetMemoriesInput, Memory } from '../../client.ts';
import { messageOf } from '../parts/message-of.ts';
import { asOfPast } from '../parts/past.tsx';
import { client } from '../parts/session.ts';

const pageSize = 100;

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

  async function load(page: number): Promise<void> {
    pages.set(page, pages.get(page) ?? null);
    try {
      const read = await client.getMemories(requestOf(selection, page));
      pages.set(page, read.results as Memory[]); // no `fields` were asked for, so all are there
      total.value = read.total;
      problem.value = '';
    } catch (error) {
      pages.delete(page);
      problem.value = messageOf(error);
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
      if (!pages.has(page)) void load(page); // failures are kept in `problem`
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
      const shown = [...pages.keys()];
      pages.clear();
      await Promise.all((shown.length === 0 ? [1] : shown).map(load));
    },
  };
}

export function requestOf(selection: TableSelection, page: number): GetMemoriesInput {
  return { ...selection, ...asOfPast(), page, page_size: pageSize };
}
