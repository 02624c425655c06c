import { Worker } from 'node:worker_threads';
import { type ScanBuffers, type ScanRequest, type ScanResult, scanVectors } from './scan.ts';
import { createTopK } from './top-k.ts';

/** Threads that scan what lies in the kernel's memory, which they share with this one. */
export type ScanWorkers = {
  /** Null where no thread can do it: then it is for this one to do. */
  scan(part: ScanRequest): Promise<ScanResult | null>;
  close(): Promise<void>;
};

type ScanWorkerOptions = {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Of each thread, where its part of the memory begins; products go `outAt` behind. */
  desks: readonly number[];
  outAt: number;
};

type ScanWorker = { worker: Worker; waiting: Map<number, (scanned: ScanResult | null) => void> };

export function createScanWorkers({ desks, ...given }: ScanWorkerOptions): ScanWorkers {
  let isClosed = false;
  let count = 0;
  let threads: ScanWorker[] = desks.flatMap((query) => startWorker({ ...given, query }));
  const lose = (thread: ScanWorker) => {
    threads = threads.filter((other) => other !== thread);
    for (const answer of thread.waiting.values()) answer(null);
    thread.waiting.clear();
  };
  for (const thread of threads) {
    const { worker } = thread;
    worker.on('error', () => lose(thread)).on('exit', () => lose(thread));
    worker.on('message', (message: { id: number; scanned: ScanResult }) =>
      resolveScan(thread, message),
    );
  }

  return {
    scan: (part) => {
      const [thread] = threads.toSorted((one, other) => one.waiting.size - other.waiting.size);
      if (thread === undefined || isClosed) return Promise.resolve(null);
      count += 1;
      return postScan(thread, count, part);
    },
    close: async () => {
      isClosed = true;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

/** Empty where the platform allows no thread. */
function startWorker(desk: Omit<ScanWorkerOptions, 'desks'> & { query: number }): ScanWorker[] {
  try {
    // The text in place of a file: a program in one file has no other to name.
    const text = `(${workerMain})(require('node:worker_threads'), ${scanVectors}, ${createTopK})`;
    const worker = new Worker(text, { eval: true, workerData: desk, env: {}, execArgv: [] });
    worker.unref();
    return [{ worker, waiting: new Map() }];
  } catch {
    return [];
  }
}

/** The process stays while somebody waits, and for nothing else. */
function postScan(thread: ScanWorker, id: number, part: ScanRequest): Promise<ScanResult | null> {
  const { worker, waiting } = thread;
  return new Promise((resolve) => {
    if (waiting.size === 0) worker.ref();
    waiting.set(id, resolve);
    worker.postMessage({ id, part });
  });
}

function resolveScan(
  { worker, waiting }: ScanWorker,
  { id, scanned }: { id: number; scanned: ScanResult },
) {
  waiting.get(id)?.(scanned);
  waiting.delete(id);
  if (waiting.size === 0) worker.unref();
}

type ScanMessage = { id: number; part: ScanRequest };
type WorkerContext = {
  workerData: Omit<ScanWorkerOptions, 'desks'> & { query: number };
  parentPort: {
    on(name: 'message', listen: (work: ScanMessage) => void): void;
    postMessage(message: { id: number; scanned: ScanResult }): void;
  };
};

/** What a thread runs: its text, as that of `scan` and `createTopK`, so nothing from around it. */
function workerMain(
  { workerData, parentPort }: WorkerContext,
  scanPart: typeof scanVectors,
  bestOf: typeof createTopK,
): void {
  const { module, memory, query, outAt } = workerData;
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const { dots } = exports as Pick<ScanBuffers, 'dots'>;
  const desk = { dots, memory, query, out: query + outAt };
  parentPort.on('message', ({ id, part }) => {
    parentPort.postMessage({ id, scanned: scanPart(desk, part, { bestOf, allowed: null }) });
  });
}
