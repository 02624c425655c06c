import { ApiError } from '../../contract/errors.ts';
import type { Deps, ModelCost, StoredMemory, TextWriter } from '../ports/index.ts';
import { fillShape } from './fill-schema.ts';
import { collectEvidence, groundShape, mergeFilledShapes } from './ground-schema.ts';
import { compileSchema } from './schema-shape.ts';

type WriteSchemaOptions = {
  schema: Record<string, unknown>;
  instructions: string | null;
  signal?: AbortSignal | undefined;
};

/** A filled schema, who filled it, and a note if that was not as configured. */
export type WrittenSchema = {
  data: Record<string, unknown>;
  by: string;
  cost: ModelCost | null;
  notice: string | null;
};

/** Fills a schema from memories, newest first, with a language model if one is configured. */
export async function writeSchema(
  deps: Pick<Deps, 'writer' | 'log'>,
  memories: readonly StoredMemory[],
  { schema, instructions, signal }: WriteSchemaOptions,
): Promise<WrittenSchema> {
  const shape = compileSchema(schema);
  const data = await fillShape(shape, memories);
  const ask = (writer: TextWriter) =>
    writer.fill(memories.map(toWriterFact), { schema, instructions, ...(signal && { signal }) });
  const written = memories.length === 0 ? null : await tryWriter(deps, ask, signal);
  if (written === null) return { data, by: 'rules', cost: null, notice: null };
  if ('notice' in written) return { data, by: 'rules', cost: null, notice: written.notice };
  const { value, cost, by } = written;
  const merged = mergeFilledShapes(
    shape,
    groundShape(shape, value, collectEvidence(memories)),
    data,
  );
  // The shape of an object yields an object.
  return { data: merged as WrittenSchema['data'], by, cost, notice: null };
}

/** Runs the model if one is configured; on failure `notice` says why. */
export async function tryWriter<T>(
  { writer, log }: Pick<Deps, 'writer' | 'log'>,
  ask: (writer: TextWriter) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<(T & { by: string }) | { notice: string } | null> {
  if (writer === undefined) return null;
  try {
    return { ...(await ask(writer)), by: writer.name };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    log('warn', 'language model failed: export written by rules', { reason: error.message });
    return { notice: `written by rules instead of the language model: ${error.message}` };
  }
}

export function toWriterFact({ memory, created_at, categories }: StoredMemory) {
  return { memory, created_at, categories };
}
