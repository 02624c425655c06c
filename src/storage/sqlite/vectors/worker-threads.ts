import { Worker } from 'node:worker_threads';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import { type ScanBuffers, type ScanRequest, type ScanResult, scanVectors } from './scan.ts';
import { createTopK } from './top-k.ts';

/** Threads that scan the kernel's memory, which they share with this one. */
export type ScanWorkers = {
  /** Null if no thread is available: then the caller scans. */
  scan(part: ScanRequest): Promise<ScanResult | null>;
  close(): Promise<void>;
};

type ScanWorkerOptions = {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** The offset of each thread's part of the memory; its products are `outAt` bytes further. */
  desks: readonly number[];
  outAt: number;
};

type ScanWorker = { worker: Worker; waiting: Map<number, (scanned: ScanResult | null) => void> };

export function createScanWorkers({ desks, ...shared }: ScanWorkerOptions): ScanWorkers {
  let isClosed = false;
  let count = 0;
  let threads: ScanWorker[] = desks.flatMap((query) => startWorker({ ...shared, query }));
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

/** Empty if the platform allows no threads. */
function startWorker(
  desk: StrictOmit<ScanWorkerOptions, 'desks'> & { query: number },
): ScanWorker[] {
  try {
    // Source text instead of a file, because the program is bundled into one file.
    const text = `(${workerMain})(require('node:worker_threads'), ${scanVectors}, ${createTopK})`;
    const worker = new Worker(text, { eval: true, workerData: desk, env: {}, execArgv: [] });
    worker.unref();
    return [{ worker, waiting: new Map() }];
  } catch {
    return [];
  }
}

/** The process stays alive only while somebody waits for a scan. */
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
  workerData: StrictOmit<ScanWorkerOptions, 'desks'> & { query: number };
  parentPort: {
    on(name: 'message', listen: (work: ScanMessage) => void): void;
    postMessage(message: { id: number; scanned: ScanResult }): void;
  };
};

/** The main function of a thread, run from its source text, so it uses only its arguments. */
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
