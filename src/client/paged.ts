/** What can stand beside an input. */
export interface RequestOptions {
  /** Ends the wait for the answer. What was sent may be carried out all the same. */
  signal?: AbortSignal | undefined;
}

/**
 * A list: `await` answers one page of it, `for await` goes through all items from that page on.
 * Pages are read when they are needed, so that what is added or deleted meanwhile moves the items
 * of the pages after.
 */
export type Paged<Page, Item> = Promise<Page> & AsyncIterable<Item>;

type AnyPage = { results: unknown[]; total: number; page: number; page_size: number };

/** Reads the first page at once, and the others as they are iterated over. */
export function createPaged(read: (at: { page?: number }) => Promise<unknown>): Promise<unknown> {
  const first = read({}) as Promise<AnyPage>;
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      let at = await first;
      for (;;) {
        yield* at.results;
        const isLast = at.page * at.page_size >= at.total || at.results.length === 0;
        if (isLast) return;
        at = (await read({ page: at.page + 1 })) as AnyPage;
      }
    },
  });
}
