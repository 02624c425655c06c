import { Worker } from 'node:worker_threads';
import { createBest } from './best.ts';
import { type Desk, type Part, type Scanned, scan } from './scan.ts';

/** Threads that scan what lies in the kernel's memory, which they share with this one. */
export type Threads = {
  /** Null where no thread can do it: then it is for this one to do. */
  scan(part: Part): Promise<Scanned | null>;
  close(): Promise<void>;
};

type Given = {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Of each thread, where its part of the memory begins; products go `outAt` behind. */
  desks: readonly number[];
  outAt: number;
};

type Thread = { worker: Worker; waiting: Map<number, (scanned: Scanned | null) => void> };

export function createThreads({ desks, ...given }: Given): Threads {
  let isClosed = false;
  let count = 0;
  let threads: Thread[] = desks.flatMap((query) => start({ ...given, query }));
  const lose = (thread: Thread) => {
    threads = threads.filter((other) => other !== thread);
    for (const answer of thread.waiting.values()) answer(null);
    thread.waiting.clear();
  };
  for (const thread of threads) {
    const { worker } = thread;
    worker.on('error', () => lose(thread)).on('exit', () => lose(thread));
    worker.on('message', (message: { id: number; scanned: Scanned }) => settle(thread, message));
  }

  return {
    scan: (part) => {
      const [thread] = threads.toSorted((one, other) => one.waiting.size - other.waiting.size);
      if (thread === undefined || isClosed) return Promise.resolve(null);
      count += 1;
      return send(thread, count, part);
    },
    close: async () => {
      isClosed = true;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

/** Empty where the platform allows no thread. */
function start(desk: Omit<Given, 'desks'> & { query: number }): Thread[] {
  try {
    // The text in place of a file: a program in one file has no other to name.
    const text = `(${serve})(require('node:worker_threads'), ${scan}, ${createBest})`;
    const worker = new Worker(text, { eval: true, workerData: desk, env: {}, execArgv: [] });
    worker.unref();
    return [{ worker, waiting: new Map() }];
  } catch {
    return [];
  }
}

/** The process stays while somebody waits, and for nothing else. */
function send(thread: Thread, id: number, part: Part): Promise<Scanned | null> {
  const { worker, waiting } = thread;
  return new Promise((resolve) => {
    if (waiting.size === 0) worker.ref();
    waiting.set(id, resolve);
    worker.postMessage({ id, part });
  });
}

function settle({ worker, waiting }: Thread, { id, scanned }: { id: number; scanned: Scanned }) {
  waiting.get(id)?.(scanned);
  waiting.delete(id);
  if (waiting.size === 0) worker.unref();
}

type Work = { id: number; part: Part };
type Inside = {
  workerData: Omit<Given, 'desks'> & { query: number };
  parentPort: {
    on(name: 'message', listen: (work: Work) => void): void;
    postMessage(message: { id: number; scanned: Scanned }): void;
  };
};

/** What a thread runs: its text, as that of `scan` and `createBest`, so nothing from around it. */
function serve(
  { workerData, parentPort }: Inside,
  scanPart: typeof scan,
  bestOf: typeof createBest,
): void {
  const { module, memory, query, outAt } = workerData;
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const { dots } = exports as Pick<Desk, 'dots'>;
  const desk = { dots, memory, query, out: query + outAt };
  parentPort.on('message', ({ id, part }) => {
    parentPort.postMessage({ id, scanned: scanPart(desk, part, { bestOf, allowed: null }) });
  });
}
