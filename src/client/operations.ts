import type { Input, OperationName, Output, Parsed } from '../contract.ts';
import type { Paged, RequestOptions } from './paged.ts';

export type { Event } from '../contract/schemas/event.ts';

/**
 * A method for each operation. In the package these types stand as plain ones, without zod and with
 * the descriptions of the contract: `scripts/types.mjs` writes them there.
 */
export type Operations = { [N in OperationName as CamelCase<N>]: Method<N> };

/** `add_memory` to `addMemory`. */
export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** The input of an operation as it should be sent: fields that accept other spellings have one. */
export type Sent<N extends OperationName> = {
  [F in keyof Input<N>]: unknown extends Input<N>[F] ? Parsed<N>[F & keyof Parsed<N>] : Input<N>[F];
};

export type ProjectScope = Pick<Sent<'get_event'>, 'org_id' | 'project_id'>;

type Method<N extends OperationName> = (
  ...args: Record<never, never> extends Sent<N>
    ? [input?: Sent<N>, options?: RequestOptions]
    : [input: Sent<N>, options?: RequestOptions]
) => Output<N> extends { results: (infer Item)[]; page_size: number }
  ? Paged<Output<N>, Item>
  : Promise<Output<N>>;
