import * as z from 'zod';
import { memoryTypes } from '../../contract/schemas/memory.ts';
import type { ResponseSchema } from './chat-completions.ts';
import { extractJson } from './extract-json.ts';
import { LenientRelations, ModelRelation } from './relation-policy.ts';

/** A memory is a sentence or two; a model that writes more has copied. */
export const decisionTextMaxChars = 1000;
const decisionReasonMaxChars = 200;

const whenPattern = /^(\d{4}(-\d\d(-\d\d(T\d\d:\d\d)?)?)?)?$/;

/**
 * A decision as models write it: flat, with all fields required, which works with the strictest and
 * the weakest models. Empty texts and message 0 mean "none".
 */
const ModelDecision = z.object({
  event: z.enum(['ADD', 'UPDATE', 'DELETE', 'NOOP']),
  text: z.string().max(decisionTextMaxChars),
  memory: z.string().max(20),
  message: z.int().min(0),
  type: z.enum(memoryTypes),
  when: z
    .string()
    .regex(whenPattern, 'must be YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDTHH:MM, or empty'),
  categories: z.array(z.string()),
  reason: z.string(),
});
/** With relations for the knowledge graph. */
const ModelDecisionWithRelations = ModelDecision.extend({ relations: z.array(ModelRelation) });
export type ModelDecision = z.output<typeof ModelDecisionWithRelations>;

/** More than any batch of messages yields. */
const decisionsMax = 200;

/** Parsed leniently: missing fields are empty, and extra ones are ignored. */
const LenientDecision = ModelDecision.extend({
  memory: z.string().max(20).nullish().transform(orEmpty),
  message: z.coerce.number().pipe(z.int().min(0)),
  type: z.enum(memoryTypes).catch('fact'),
  when: z.string().regex(whenPattern).nullish().catch('').transform(orEmpty),
  categories: z
    .array(z.string())
    .nullish()
    .catch([])
    .transform((names) => names ?? []),
  reason: z
    .string()
    .nullish()
    .catch('')
    .transform((reason) => (reason ?? '').slice(0, decisionReasonMaxChars)),
  relations: LenientRelations,
});

const decisionsSchemaPlain = toDecisionsSchema(ModelDecision);
const decisionsSchemaWithRelations = toDecisionsSchema(ModelDecisionWithRelations);

/** Relations cost tokens, so they are requested only if they are stored. */
export function decisionsSchema({ graph }: { graph: boolean }): ResponseSchema {
  return graph ? decisionsSchemaWithRelations : decisionsSchemaPlain;
}

function toDecisionsSchema(item: z.ZodType): ResponseSchema {
  return {
    name: 'decisions',
    schema: toPortableJsonSchema(z.object({ decisions: z.array(item) })),
  };
}

export type ParsedDecisions = {
  decisions: ModelDecision[];
  /** Problems, in words for the model; empty if everything could be parsed. */
  problems: string[];
};

/** Parses a model's response; unreadable decisions are dropped and reported. */
export function parseDecisions(text: string): ParsedDecisions {
  const json = extractJson(text);
  if (json === undefined) return { decisions: [], problems: ['it is no valid JSON'] };
  const list = Array.isArray(json) ? json : { decisions: null, ...(json as object) }.decisions;
  if (!Array.isArray(list)) {
    return { decisions: [], problems: ['it must be an object with an array "decisions"'] };
  }
  const decisions: ModelDecision[] = [];
  const problems: string[] = [];
  for (const [index, value] of list.slice(0, decisionsMax).entries()) {
    const parsed = LenientDecision.safeParse(value);
    if (parsed.success) decisions.push(parsed.data);
    else problems.push(...parsed.error.issues.map((issue) => describeIssue(index, issue)));
  }
  return { decisions, problems };
}

function describeIssue(index: number, { path, message }: z.core.$ZodIssue): string {
  return `${['decisions', index, ...path].join('.')}: ${message}`;
}

function orEmpty<T extends string>(value: T | null | undefined): T | '' {
  return value ?? '';
}

/** Removes keywords that some servers refuse in a strict schema. */
function toPortableJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const dropped = ['$schema', 'pattern', 'maxLength', 'minimum', 'maximum'];
  const text = JSON.stringify(z.toJSONSchema(schema), (key, value) =>
    dropped.includes(key) ? undefined : value,
  );
  return JSON.parse(text);
}
