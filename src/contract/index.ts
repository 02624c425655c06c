import type * as z from 'zod';
import { entities } from './operations/entities.ts';
import { events } from './operations/events.ts';
import { memories } from './operations/memories.ts';

/** The one table: each operation of the API, by its name. */
export const contract = { ...memories, ...entities, ...events };

export type Contract = typeof contract;
export type OperationName = keyof Contract;

/** What a caller sends: before defaults are filled in. */
export type Input<N extends OperationName> = z.input<Contract[N]['input']>;
/** What a handler receives: parsed, with defaults. */
export type Parsed<N extends OperationName> = z.output<Contract[N]['input']>;
export type Output<N extends OperationName> = z.output<Contract[N]['output']>;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(contract, name);
}

/** Who calls, resolved: a face authenticates, core authorizes. */
export type Caller = {
  role: 'READER' | 'OWNER';
  /** Where a request goes that names no organization or project; null is the store's default. */
  org_id: string | null;
  project_id: string | null;
  /** True when the caller may reach no project but its own. */
  bound: boolean;
};

export type CallOptions = { caller: Caller; signal?: AbortSignal };

/** The single entrance: carries out one operation, here or on a remote instance. */
export type Invoke = <N extends OperationName>(
  name: N,
  input: unknown,
  options: CallOptions,
) => Promise<Output<N>>;
