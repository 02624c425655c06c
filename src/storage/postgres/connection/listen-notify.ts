import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../core/ports/index.ts';
import type { PostgresPool } from './pool.ts';

/** Lets processes on one database notify each other of work. */
export type WorkNotifier = {
  /** Notifies the others, soon. */
  notify(): void;
  /** Wakes this process when others notify it. */
  listen(wake: () => void): void;
  stop(): Promise<void>;
};

const channel = 'mneme_work';

/** More often would not help: a woken worker takes all the work there is. */
const sendIntervalMs = 20;

/** If notifications do not arrive, as behind some poolers, workers find the work by polling. */
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
        log('warn', 'notification of new work failed', { error: error.message });
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

/** Resolves when the connection ends. */
async function listenOnce(
  { connect }: PostgresPool,
  { wake, signal }: { wake: () => void; signal: AbortSignal },
): Promise<void> {
  const client = connect();
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve);
    // There may be two events: one for the end, one for the closed socket.
    client.on('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  client.on('notification', wake);
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    wake(); // for what came before this process listened
    await ended;
  } finally {
    await client.end().catch(() => {});
  }
}
