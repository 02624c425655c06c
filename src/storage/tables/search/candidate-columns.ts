import { type AliasableExpression, sql } from 'kysely';
import type { Candidate } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { fromJson } from '../../sql/json.ts';

/** What ranking reads of a memory. */
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
  'terms',
  'speaker_terms',
  'run_position',
] as const satisfies readonly (keyof Candidate)[];

export const candidateColumns = candidateFields.map((name) => `memories.${name}` as const);

type CandidateColumns = Record<(typeof candidateFields)[number], string | null>;

/**
 * The rows as one, with a list of each column. Hundreds are read for a search, and drivers take out
 * each value of a row by itself, which costs more than all that the database does.
 */
export function selectAsColumns(
  { db, dialect }: Pick<DbContext, 'db' | 'dialect'>,
  rows: AliasableExpression<Candidate>,
) {
  return db
    .selectFrom(rows.as('found'))
    .select(
      candidateFields.map((name) => dialect.aggregateJson(sql.ref(`found.${name}`)).as(name)),
    );
}

export function candidatesFromColumns([lists]: readonly CandidateColumns[]): Candidate[] {
  const list = <N extends keyof Candidate>(name: N) =>
    fromJson<Candidate[N][]>(lists?.[name] ?? '[]');
  const [positions, places] = [list('position'), list('run_position')];
  const [users, agents, apps, runs] = [
    list('user_id'),
    list('agent_id'),
    list('app_id'),
    list('run_id'),
  ];
  const [roles, terms, speakers] = [list('role'), list('terms'), list('speaker_terms')];
  const [created, occurred] = [list('created_at'), list('occurred_at')];
  const granularities = list('occurred_granularity');
  return list('id').map((id, at) => ({
    id,
    position: positions[at] ?? 0,
    user_id: users[at] ?? null,
    agent_id: agents[at] ?? null,
    app_id: apps[at] ?? null,
    run_id: runs[at] ?? null,
    role: roles[at] ?? null,
    created_at: created[at] ?? '',
    occurred_at: occurred[at] ?? null,
    occurred_granularity: granularities[at] ?? null,
    terms: terms[at] ?? '',
    speaker_terms: speakers[at] ?? '',
    run_position: places[at] ?? null,
  }));
}
