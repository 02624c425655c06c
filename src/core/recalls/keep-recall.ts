import { createHmac } from 'node:crypto';
import { estimateTokens } from '../../contract/estimate-tokens.ts';
import type { Operation } from '../../contract/operation.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import { contract } from '../../contract.ts';
import { actingKey } from '../history/acting-key.ts';
import { entityIdsOfFilter } from '../memory/selection.ts';
import type { AskedQuestion, Deps, StoredProject, StoredRecall } from '../ports/index.ts';
import { redactQuestion } from '../safety/redact-input.ts';
import { rankingVersion } from '../search/weights.ts';
import { type Answered, type RecallDeps, tellingFields } from './answered.ts';

/** What the project keeps of an answer. */
export async function toStoredRecall(
  deps: RecallDeps,
  project: StoredProject,
  { operation, input, selection, past, since, hits, answer }: Answered,
): Promise<StoredRecall> {
  const owners = entityIdsOfFilter(selection.filter);
  const question = askedQuestion({ operation, input, past, owners });
  const isHashed = project.settings.keep_recalls === 'hash';
  return {
    id: deps.ids.next(),
    ...owners,
    operation,
    key_id: actingKey(),
    created_at: since,
    asked: isHashed ? await withoutText(deps, question) : redactQuestion(question, deps.secrets),
    ranking: rankingVersion,
    tokens: estimateTokens(answer),
    total: hits.length,
    hits: hits.slice(0, keptHitsMax),
  };
}

/** Ten characters each: with them, a recall takes less than 300 bytes beside its question. */
const keptHitsMax = 15;

function askedQuestion({
  operation,
  input,
  past,
  owners,
}: Pick<Answered, 'operation' | 'input' | 'past'> & { owners: EntityIds }): AskedQuestion {
  const record: Operation = contract[operation];
  const defaults: Record<string, unknown> = parseInput(record, { query: '?' });
  const isKept = ([field, value]: [string, unknown]) =>
    value !== undefined &&
    !apartFields.has(field) &&
    value !== defaults[field] &&
    !entityIdFields.some((name) => name === field && owners[name] === value);
  const settings = Object.fromEntries(Object.entries(input).filter(isKept));
  return {
    ...(input.query !== undefined && { query: input.query }),
    ...(input.as_of !== undefined && past !== null && { as_of: past.as_of }),
    ...(past?.valid_at != null && { valid_at: past.valid_at }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** Fields that are kept elsewhere, or change nothing of what is found. */
const apartFields: ReadonlySet<string> = new Set(
  (
    'query messages org_id project_id as_of valid_at explain explain_id fields version ' +
    'output_format enable_graph'
  ).split(' '),
);

/** The question as a hash that is made with the secret of the store: nobody can guess it. */
async function withoutText(
  { store }: Pick<Deps, 'store'>,
  { query, settings, ...asked }: AskedQuestion,
): Promise<AskedQuestion> {
  const harmless = Object.entries(settings ?? {}).filter(([field]) => !tellingFields.has(field));
  const hash = createHmac('sha256', await store.secret()).update(query ?? '');
  return {
    ...asked,
    query_hash: hash.digest('base64url').slice(0, hashChars),
    ...(harmless.length > 0 && { settings: Object.fromEntries(harmless) }),
  };
}

/** 128 bits. */
const hashChars = 22;
