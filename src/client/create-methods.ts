import { ApiError } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { contract, type OperationName } from '../contract.ts';
import type { Client, WaitOptions } from './client-interface.ts';
import { withDeadline } from './deadline.ts';
import type { Event, Operations } from './operations.ts';
import { createPaged, type RequestOptions } from './paged.ts';
import { pollEvent } from './wait-for-event.ts';

/** Runs an operation on a remote instance, or in the engine of this process. */
export type RunOperation = (
  name: OperationName,
  input: Readonly<Record<string, unknown>>,
  options: { signal?: AbortSignal },
) => Promise<unknown>;

const waitTimeoutMs = 30_000;

/** The client's methods, on top of a function that runs operations. */
export function createMethods(run: RunOperation): Client {
  const methods = Object.entries<Operation>(contract).map(([name, { output }]) => [
    methodName(name),
    'page_size' in output.shape ? pages(name as OperationName) : method(name as OperationName),
  ]);
  // The types are generated from the same records, so that these are the methods that they name.
  return { ...(Object.fromEntries(methods) as Operations), waitForEvent };

  function method(name: OperationName) {
    return async (input = {}, options?: RequestOptions) => run(name, input, signalOptions(options));
  }

  function pages(name: OperationName) {
    return (input = {}, options?: RequestOptions) =>
      createPaged((page) => run(name, { ...input, ...page }, signalOptions(options)));
  }

  function waitForEvent(event_id: string, options: WaitOptions = {}): Promise<Event> {
    const { timeout_ms = waitTimeoutMs, signal, ...scope } = options;
    return withDeadline({ timeout_ms, now: Date.now }, signal, async (deadline) => {
      let status = 'PENDING';
      try {
        const { signal } = deadline;
        const find = () => run('get_event', { event_id, ...scope }, { signal }) as Promise<Event>;
        return await pollEvent(find, {
          signal,
          onOpen: (open) => {
            status = open;
          },
        });
      } catch (cause) {
        if (!deadline.isExpired()) throw cause;
        const problem = `event ${event_id} is still ${status} after ${timeout_ms} ms`;
        throw new ApiError('unavailable', problem, { cause });
      }
    });
  }
}

function signalOptions({ signal }: RequestOptions = {}): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** `add_memory` to `addMemory`. */
export function methodName(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
