import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../core/ports/index.ts';
import type { PostgresPool } from './pool.ts';

/** How processes on one database tell each other that there is work. */
export type WorkNotifier = {
  /** Tells the others, soon. */
  notify(): void;
  /** Has this process told of what others left. */
  listen(wake: () => void): void;
  stop(): Promise<void>;
};

const channel = 'mneme_work';

/** More often than this is of no use: whoever is woken takes all that there is. */
const sendIntervalMs = 20;

/** Where it can't be heard, as behind some poolers, the workers' own looks find the work. */
export function createWorkNotifier(postgres: PostgresPool, log: Logger): WorkNotifier {
  const stopping = new AbortController();
  const { signal } = stopping;
  let sending: Promise<void> | null = null;
  let listening: Promise<void> = Promise.resolve();

  const send = async () => {
    await sleep(sendIntervalMs, undefined, { ref: false });
    sending = null;
    await postgres.asOwner((client) => client.query(`notify ${channel}`));
  };
  return {
    notify: () => {
      if (signal.aborted) return;
      sending ??= send().catch((error: Error) => {
        log('warn', 'could not notify other processes of new work', { error: error.message });
      });
    },
    listen: (wake) => {
      listening = keepListening(postgres, { wake, signal });
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([sending, listening]);
    },
  };
}

const reconnectMs = 1_000;

async function keepListening(
  postgres: PostgresPool,
  { wake, signal }: { wake: () => void; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await listenOnce(postgres, { wake, signal }).catch(() => {}); // tried again
    await sleep(reconnectMs, undefined, { signal }).catch(() => {});
  }
}

/** Ends when the connection does. */
async function listenOnce(
  { connect }: PostgresPool,
  { wake, signal }: { wake: () => void; signal: AbortSignal },
): Promise<void> {
  const client = connect();
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve);
    // More than one may come: that it was ended, and that it is gone.
    client.on('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  client.on('notification', wake);
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    wake(); // for what came while nobody listened
    await ended;
  } finally {
    await client.end().catch(() => {});
  }
}
