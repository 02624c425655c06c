import { ApiError } from '../../contract/errors.ts';
import type { Deps, ModelCost, StoredMemory, Writer } from '../ports.ts';
import { fillShape } from './fill-schema.ts';
import { fitShape, mergeFilled, statedIn } from './fit-schema.ts';
import { shapeOf } from './shape.ts';

type Wanted = {
  schema: Record<string, unknown>;
  instructions: string | null;
  signal?: AbortSignal | undefined;
};

/** What a schema was filled with, by whom, and what went otherwise than configured. */
export type Written = {
  data: Record<string, unknown>;
  by: string;
  cost: ModelCost | null;
  notice: string | null;
};

/** Fills a schema from memories, newest first: with a language model where there is one. */
export async function writeSchema(
  deps: Pick<Deps, 'writer' | 'log'>,
  memories: readonly StoredMemory[],
  { schema, instructions, signal }: Wanted,
): Promise<Written> {
  const shape = shapeOf(schema);
  const data = await fillShape(shape, memories);
  const ask = (writer: Writer) =>
    writer.fill(memories.map(toTelling), { schema, instructions, ...(signal && { signal }) });
  const written = memories.length === 0 ? null : await tryWriting(deps, ask, signal);
  if (written === null) return { data, by: 'rules', cost: null, notice: null };
  if ('notice' in written) return { data, by: 'rules', cost: null, notice: written.notice };
  const { value, cost, by } = written;
  const merged = mergeFilled(shape, fitShape(shape, value, statedIn(memories)), data);
  return { data: merged as Written['data'], by, cost, notice: null }; // an object's shape makes one
}

/** Asks the model, where one is configured; without an answer `notice` says why. */
export async function tryWriting<T>(
  { writer, log }: Pick<Deps, 'writer' | 'log'>,
  ask: (writer: Writer) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<(T & { by: string }) | { notice: string } | null> {
  if (writer === undefined) return null;
  try {
    return { ...(await ask(writer)), by: writer.name };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    log('warn', 'written by rules in place of the language model', { reason: error.message });
    return { notice: `written by rules in place of the language model: ${error.message}` };
  }
}

export function toTelling({ memory, created_at, categories }: StoredMemory) {
  return { memory, created_at, categories };
}
