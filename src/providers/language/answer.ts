import * as z from 'zod';
import { memoryTypes } from '../../contract/schemas/memory.ts';
import type { AnswerSchema } from './chat.ts';
import { readJson } from './json.ts';
import { AnsweredRelation, LooseRelations } from './relations.ts';

/** A memory is a sentence or two; a model that writes more has copied. */
export const textMaxChars = 1000;
const reasonMaxChars = 200;

const when = /^(\d{4}(-\d\d(-\d\d(T\d\d:\d\d)?)?)?)?$/;

/**
 * A decision as models write it: all fields always there and nothing nested, which is what the
 * strictest and the weakest of them have in common. Empty texts and message 0 are "none".
 */
const Item = z.object({
  event: z.enum(['ADD', 'UPDATE', 'DELETE', 'NOOP']),
  text: z.string().max(textMaxChars),
  memory: z.string().max(20),
  message: z.int().min(0),
  type: z.enum(memoryTypes),
  when: z.string().regex(when, 'must be YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDTHH:MM, or empty'),
  categories: z.array(z.string()),
  reason: z.string(),
});
/** With what goes into the knowledge graph. */
const GraphItem = Item.extend({ relations: z.array(AnsweredRelation) });
export type Item = z.output<typeof GraphItem>;

/** More than a batch of turns ever tells. */
const itemsMax = 200;

/** Read loosely: what is left out is none, and a word too much harms nobody. */
const LooseItem = Item.extend({
  memory: z.string().max(20).nullish().transform(orEmpty),
  message: z.coerce.number().pipe(z.int().min(0)),
  type: z.enum(memoryTypes).catch('fact'),
  when: z.string().regex(when).nullish().catch('').transform(orEmpty),
  categories: z
    .array(z.string())
    .nullish()
    .catch([])
    .transform((names) => names ?? []),
  reason: z
    .string()
    .nullish()
    .catch('')
    .transform((reason) => (reason ?? '').slice(0, reasonMaxChars)),
  relations: LooseRelations,
});

const plainSchema = answerOf(Item);
const graphSchema = answerOf(GraphItem);

/** Relations are asked for only where they are kept: they cost tokens. */
export function answerSchema({ graph }: { graph: boolean }): AnswerSchema {
  return graph ? graphSchema : plainSchema;
}

function answerOf(item: z.ZodType): AnswerSchema {
  return { name: 'decisions', schema: schemaOf(z.object({ decisions: z.array(item) })) };
}

export type Answer = {
  items: Item[];
  /** What is wrong, in words for the model; none when all of it could be read. */
  problems: string[];
};

/** Reads a model's answer; what can't be read is left out and named. */
export function readAnswer(text: string): Answer {
  const json = readJson(text);
  if (json === undefined) return { items: [], problems: ['it is no valid JSON'] };
  const list = Array.isArray(json) ? json : { decisions: null, ...(json as object) }.decisions;
  if (!Array.isArray(list)) {
    return { items: [], problems: ['it must be an object with an array "decisions"'] };
  }
  const items: Item[] = [];
  const problems: string[] = [];
  for (const [index, value] of list.slice(0, itemsMax).entries()) {
    const read = LooseItem.safeParse(value);
    if (read.success) items.push(read.data);
    else problems.push(...read.error.issues.map((issue) => problemOf(index, issue)));
  }
  return { items, problems };
}

function problemOf(index: number, { path, message }: z.core.$ZodIssue): string {
  return `${['decisions', index, ...path].join('.')}: ${message}`;
}

function orEmpty<T extends string>(value: T | null | undefined): T | '' {
  return value ?? '';
}

/** Without what some servers refuse in a strict schema. */
function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const dropped = ['$schema', 'pattern', 'maxLength', 'minimum', 'maximum'];
  const text = JSON.stringify(z.toJSONSchema(schema), (key, value) =>
    dropped.includes(key) ? undefined : value,
  );
  return JSON.parse(text);
}
