import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '../http/errors.ts';
import type { AuthenticatedKey, RestOptions, StreamTimes } from '../http/options.ts';

/** What one poll found; each result is the data of an event. */
export type EventPage = {
  results: readonly { cursor: string }[];
  cursor: string;
  has_more: boolean;
};

type FollowOptions = Pick<
  RestOptions,
  'storeVersion' | 'streams' | 'accepting' | 'draining' | 'log'
> & {
  key: AuthenticatedKey;
  /** Throws when the key has become invalid. */
  readmit(): Promise<AuthenticatedKey>;
  look(key: AuthenticatedKey, after: string): Promise<EventPage>;
  /** Cuts the connection of a reader that does not read. */
  disconnect(): void;
  onEnd(): void;
};

const defaultTimes: StreamTimes = {
  poll_ms: 1_000,
  heartbeat_ms: 15_000,
  readmit_ms: 5_000,
  stall_ms: 30_000,
};

/** How soon browsers connect again. */
const retryMs = 2_000;

/**
 * A stream of events that begins with a page and goes on with those after it. It looks only when
 * the reader has taken what there was, so one that stops reading costs one page, until it is
 * disconnected.
 */
export function followPages(first: EventPage, options: FollowOptions): ReadableStream<Uint8Array> {
  const ending = new AbortController();
  const { stall_ms } = { ...defaultTimes, ...options.streams };
  const end = () => {
    if (ending.signal.aborted) return;
    ending.abort();
    options.onEnd();
  };
  let stalled: NodeJS.Timeout | undefined;
  const chunks = readChunks(first, options, ending.signal);
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        clearTimeout(stalled);
        const { value, done } = await chunks.next().catch(() => endOfPages);
        if (done) {
          if (!ending.signal.aborted) controller.close();
          end();
          return;
        }
        stalled = setTimeout(() => {
          end();
          options.disconnect();
        }, stall_ms).unref();
        controller.enqueue(encoder.encode(value));
      },
      cancel: () => {
        clearTimeout(stalled);
        end();
      },
    },
    { highWaterMark: 0 },
  );
}

const endOfPages = { value: undefined, done: true } as const;
const encoder = new TextEncoder();

/** Ends after an event that says why, or when the stream is ended. */
async function* readChunks(
  first: EventPage,
  options: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  yield `retry: ${retryMs}\n${textOf(first)}`;
  try {
    yield* followUp(first, options, signal);
    yield endEvent('the server is shutting down');
  } catch (error) {
    if (signal.aborted) return;
    const { text } = describeError(error, { request_id: 'stream', log: options.log });
    yield endEvent(text);
  }
}

/** Returns when the server shuts down. */
async function* followUp(
  first: EventPage,
  { look, readmit, storeVersion, ...options }: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  const { accepting = () => true, draining = () => false } = options;
  const { poll_ms, heartbeat_ms, readmit_ms } = { ...defaultTimes, ...options.streams };
  let { key } = options;
  let page = first;
  let count: number | undefined;
  // Not by the clock, which may be set back.
  let shownAt = performance.now();
  let admittedAt = performance.now();
  while (accepting() && !draining()) {
    if (performance.now() - admittedAt >= readmit_ms) {
      key = await readmit();
      admittedAt = performance.now();
    }
    // Read first, so that what is committed during the look is found by the next one.
    const version = await storeVersion?.();
    if (page.has_more || version === undefined || version !== count) {
      page = await look(key, page.cursor);
      count = version;
    }
    if (page.results.length > 0 || performance.now() - shownAt >= heartbeat_ms) {
      yield textOf(page);
      page = { ...page, results: [] };
      shownAt = performance.now();
    }
    if (!page.has_more) await sleep(poll_ms, undefined, { signal, ref: false });
  }
}

/** Its events, and the cursor behind them, which an event without data sets. */
function textOf({ results, cursor }: EventPage): string {
  const events = results.map((result) => {
    const { cursor: id, ...data } = result;
    return `id: ${id}\nevent: change\ndata: ${JSON.stringify(data)}\n\n`;
  });
  return [...events, `id: ${cursor}\n\n`].join('');
}

function endEvent(message: string): string {
  return `event: end\ndata: ${JSON.stringify({ message })}\n\n`;
}
