/** The end of a call: by its caller, or by the time that it has. */
export type Deadline = {
  /** Aborts at the end, with the caller's reason where it was the caller. */
  signal: AbortSignal;
  timeout_ms: number;
  /** True once the time is over. */
  isExpired(): boolean;
  /** Milliseconds that are left. */
  remainingMs(): number;
};

/** Runs a call that ends with its caller's signal, or when its time is over. */
export async function withDeadline<T>(
  { timeout_ms, now }: { timeout_ms: number; now: () => number },
  caller: AbortSignal | undefined,
  run: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted();
  const ending = new AbortController();
  const started = now();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    ending.abort();
  }, timeout_ms);
  const stop = () => ending.abort(caller?.reason);
  caller?.addEventListener('abort', stop);
  const remainingMs = () => timeout_ms - (now() - started);
  try {
    return await run({
      signal: ending.signal,
      timeout_ms,
      isExpired: () => late,
      remainingMs,
    });
  } catch (error) {
    // Whatever the abort made of the request: the caller knows its own reason.
    if (caller?.aborted) throw caller.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', stop);
  }
}

/** The result of a promise. If the signal is aborted first, throws its reason. */
export function raceAbort<T>(coming: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const forget = () => signal.removeEventListener('abort', stop);
    coming.then(resolve, reject).finally(forget);
  });
}

/** Waits, but no longer than the signal allows. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
