import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { ApiError } from '../../../contract/errors.ts';
import type { Log } from '../../../log.ts';
import type {
  DownloadProgress,
  FromModelProcess,
  ModelRequest,
  ModelResult,
  ModelSettings,
  ToModelProcess,
} from './process-messages.ts';

export type LocalModelOptions = {
  /** Its kind, for errors and the log. */
  kind: 'embedder' | 'reranker';
  settings: ModelSettings;
  /** The built program of the process that computes. */
  file: string;
  env: NodeJS.ProcessEnv;
  log: Log;
};

/** A model in its own process, which starts with the first use. */
export type LocalModel = {
  /** Starts loading, unless it has started already. */
  warm(): void;
  /** The progress of loading, in words; null when it is not loading. */
  loading(): string | null;
  /** Throws `unavailable` if the model can't be loaded, or the reason of the signal. */
  request(ask: ModelRequest, signal?: AbortSignal): Promise<ModelResult>;
  close(): Promise<void>;
};

/** After a failure, the model is not loaded again for this long. */
const retryAfterFailureMs = 20_000;

export function createLocalModel(options: LocalModelOptions): LocalModel {
  let process: ModelProcess | null = null;
  let failed = { reason: '', until: 0 };
  let closed = false;

  const start = (): ModelProcess => {
    if (closed) throw new ApiError('unavailable', `the ${options.kind} is closed`);
    if (performance.now() < failed.until) throw new ApiError('unavailable', failed.reason);
    process ??= startProcess(options, (reason) => {
      process = null;
      failed = { reason, until: performance.now() + retryAfterFailureMs };
      if (!closed) options.log('warn', `local ${options.kind} process ended`, { error: reason });
    });
    return process;
  };

  return {
    warm: () => {
      if (!closed && performance.now() >= failed.until) start();
    },
    loading: () => process?.loading() ?? null,
    request: async (ask, signal) => {
      signal?.throwIfAborted();
      return start().request(ask, signal);
    },
    close: async () => {
      closed = true;
      await process?.end();
    },
  };
}

type ModelProcess = {
  request(ask: ModelRequest, signal?: AbortSignal): Promise<ModelResult>;
  loading(): string | null;
  end(): Promise<void>;
};

type PendingRequest = { resolve(answer: ModelResult): void; reject(error: Error): void };

/** `onEnd` gets the reason, in words for the operator. */
function startProcess(options: LocalModelOptions, onEnd: (reason: string) => void): ModelProcess {
  const child = forkModel(options);
  const waiting = createPendingRequests(child);
  const loadingLog = createLoadingLog(options);
  let failure: string | null = null;

  const ended = new Promise<void>((resolve) => {
    const end = (how: string) => {
      resolve();
      failure ??= `the process of the ${options.kind} ended (${how})`;
      waiting.rejectAll(new ApiError('unavailable', failure));
      onEnd(failure);
    };
    child.once('exit', (code, signal) => end(signal ?? String(code)));
    child.once('error', ({ message }) => end(message));
  });
  child.on('message', (message: FromModelProcess) => {
    if ('loading' in message) loadingLog.progress(message.loading);
    else if ('loaded' in message) loadingLog.done();
    else if ('failed' in message) failure = message.failed;
    else if ('answer' in message) waiting.take(message.id)?.resolve(message.answer);
    else waiting.take(message.id)?.reject(modelError(options, message.error));
  });
  sendToProcess(child, { load: options.settings });

  return {
    loading: loadingLog.words,
    request: waiting.ask,
    end: () => {
      failure = 'closed';
      keepProcessAlive(child);
      child.kill('SIGKILL'); // it has no state to lose
      return ended;
    },
  };
}

/** The pending requests of a process. */
function createPendingRequests(child: ChildProcess) {
  const waiting = new Map<number, PendingRequest>();
  let requests = 0;
  const take = (id: number): PendingRequest | undefined => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) allowProcessExit(child);
    return one;
  };
  const ask = (ask: ModelRequest, signal?: AbortSignal): Promise<ModelResult> =>
    new Promise((resolve, reject) => {
      requests += 1;
      const id = requests;
      const forget = () => {
        take(id)?.reject(signal?.reason);
        sendToProcess(child, { cancel: id });
      };
      const done = () => signal?.removeEventListener('abort', forget);
      waiting.set(id, {
        resolve: (answer) => [done(), resolve(answer)],
        reject: (error) => [done(), reject(error)],
      });
      signal?.addEventListener('abort', forget, { once: true });
      keepProcessAlive(child); // callers wait for the result
      sendToProcess(child, { id, ask });
    });
  const rejectAll = (error: Error) => {
    for (const id of waiting.keys()) take(id)?.reject(error);
  };
  return { ask, take, rejectAll };
}

function sendToProcess(child: ChildProcess, message: ToModelProcess): void {
  child.send(message, () => {}); // its exit event reports a failure
}

/** Starts the process with low priority, without keeping this process alive. */
function forkModel({ file, env }: LocalModelOptions): ChildProcess {
  const options: ForkOptions & { windowsHide: true } = {
    env,
    // Output of the runtime must not reach stdout, which belongs to MCP.
    stdio: 'ignore',
    execArgv: [],
    serialization: 'advanced',
    windowsHide: true,
  };
  const child = fork(file, [], options);
  allowProcessExit(child);
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has exited already, or the system forbids it; it then runs with normal priority.
  }
  return child;
}

/** Keeps this process alive until the other one has responded or exited. */
function keepProcessAlive(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

/** Lets this process exit; the other one then exits as well. */
function allowProcessExit(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function modelError({ kind, settings }: LocalModelOptions, error: string): ApiError {
  return new ApiError('unavailable', `the ${kind} ${settings.model}: ${error.slice(0, 300)}`);
}

const logEveryMs = 5000;

/** Logs the start, the progress and the end of loading. */
function createLoadingLog({ kind, settings: { model }, log }: LocalModelOptions) {
  const started = performance.now();
  let said = started;
  let words: string | null = `loading ${model}`;
  log('info', `local ${kind} loading`, { model });
  return {
    words: () => words,
    progress: ({ bytes, total }: DownloadProgress) => {
      const percent = total === 0 ? 0 : Math.floor((bytes / total) * 100);
      words = `loading ${model}: ${percent}% of ${Math.ceil(total / 1_000_000)} MB`;
      if (performance.now() < said + logEveryMs) return;
      said = performance.now();
      log('info', `local ${kind} loading`, { model, percent, bytes: total });
    },
    done: () => {
      words = null;
      const ms = Math.round(performance.now() - started);
      log('info', `local ${kind} loaded`, { model, ms });
    },
  };
}
