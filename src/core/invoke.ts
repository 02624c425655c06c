import {
  type CallOptions,
  type Contract,
  contract,
  type Invoke,
  type OperationName,
} from '../contract/index.ts';
import { parseInput } from '../contract/parse.ts';
import { authorize } from './access.ts';
import { createEntityHandlers } from './handlers/entities.ts';
import { createEventHandlers } from './handlers/events.ts';
import { createMemoryHandlers } from './handlers/memories.ts';
import type { Deps, Handlers } from './ports.ts';

/** The embedded engine: parse, authorize, handle. Nothing else calls a handler. */
export function createInvoke(deps: Deps): Invoke {
  const handlers: Handlers = {
    ...createMemoryHandlers(deps),
    ...createEntityHandlers(deps),
    ...createEventHandlers(deps),
  };

  return async <N extends OperationName>(name: N, raw: unknown, options: CallOptions) => {
    const { caller, signal } = options;
    const record: Contract[N] = contract[name];
    const input = parseInput<Contract[N]['input']>(record, raw);
    const project = await authorize({ scope: record.scope, input, caller }, deps.store);
    signal?.throwIfAborted();
    return handlers[name](input, { project, caller, ...(signal && { signal }) });
  };
}
