/** Options of a request. */
export interface RequestOptions {
  /** Stops waiting for the response. A request that was sent may still be carried out. */
  signal?: AbortSignal | undefined;
}

/**
 * A list: `await` returns one page, `for await` iterates over all items from that page on. Pages
 * are read when needed, so additions and deletions in between shift later pages.
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
