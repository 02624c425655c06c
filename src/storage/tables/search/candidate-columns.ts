import { type AliasableExpression, sql } from 'kysely';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type { Candidate } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { fromJsonList, listsFromJson } from '../../sql/json.ts';
import type { JsonText } from '../../sql/schema/columns.ts';

/** The fields of a memory that ranking uses. */
const candidateFields = [
  'id',
  'position',
  'user_id',
  'agent_id',
  'app_id',
  'run_id',
  'role',
  'created_at',
  'occurred_at',
  'occurred_granularity',
  'valid_until',
  'may_replace',
  'terms',
  'speaker_terms',
  'run_position',
] as const satisfies readonly (keyof Candidate)[];

/** Looks for the question mark only where it counts, because texts may be long. */
const asks = sql<boolean>`memories.speaker_terms <> '' and (memories.memory like '%?%'
  or memories.memory like '%？%')`.as('asks');

export const candidateColumns = [
  ...candidateFields.map((name) => `memories.${name}` as const),
  asks,
];

type CandidateField = (typeof candidateFields)[number] | 'asks';
type CandidateColumns = Record<CandidateField, string | null>;
/** A candidate as its row has it. */
type CandidateRow = StrictOmit<Candidate, 'may_replace'> & { may_replace: JsonText | null };
type CandidateLists = { [N in CandidateField]: CandidateRow[N][] };

/**
 * Reads the rows as one row with a list for each column. A search reads hundreds, and drivers
 * decode each value separately, which costs more than all work of the database.
 */
export function selectAsColumns<More extends string = never>(
  { db, dialect }: Pick<DbContext, 'db' | 'dialect'>,
  rows: AliasableExpression<CandidateRow & Record<More, unknown>>,
  more: readonly More[] = [],
) {
  const names: (CandidateField | More)[] = [...candidateFields, 'asks', ...more];
  return db
    .selectFrom(rows.as('found'))
    .select(names.map((name) => dialect.aggregateJson(sql.ref(`found.${name}`)).as(name)));
}

export function candidatesFromColumns([lists]: readonly CandidateColumns[]): Candidate[] {
  if (lists === undefined) return [];
  const columns = listsFromJson<CandidateLists>(lists);
  return columns.id.map((id, at) => ({
    id,
    position: columns.position[at] ?? 0,
    user_id: columns.user_id[at] ?? null,
    agent_id: columns.agent_id[at] ?? null,
    app_id: columns.app_id[at] ?? null,
    run_id: columns.run_id[at] ?? null,
    role: columns.role[at] ?? null,
    created_at: columns.created_at[at] ?? '',
    occurred_at: columns.occurred_at[at] ?? null,
    occurred_granularity: columns.occurred_granularity[at] ?? null,
    valid_until: columns.valid_until[at] ?? null,
    may_replace: fromJsonList(columns.may_replace[at] ?? null),
    terms: columns.terms[at] ?? '',
    speaker_terms: columns.speaker_terms[at] ?? '',
    run_position: columns.run_position[at] ?? null,
    asks: Boolean(columns.asks[at]), // SQLite answers 0 or 1
  }));
}
