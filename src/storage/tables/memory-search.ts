import { type EntityType, entityIdField, entityTypes } from '../../contract/schemas/entity.ts';
import type { Filter, FilterComparison } from '../../contract/schemas/filter.ts';
import type { Candidate, Project, RunPlace, Selection } from '../../core/ports.ts';
import { selectionSql } from '../filter-sql.ts';
import type { At } from './at.ts';
import { findEntityKeys } from './entity-keys.ts';
import { candidateColumns } from './memory-row.ts';

export type CandidateQuery = { selection: Selection; terms: readonly string[]; limit: number };

export async function findCandidates(
  at: At,
  project: Project,
  { selection, terms, limit }: CandidateQuery,
): Promise<Candidate[]> {
  if (terms.length === 0) return [];
  const scope = await findScope(at, project, selection.filter);
  if (scope === null) return [];
  const where = selectionSql(selection, at.dialect.filter);
  return at.dialect.index.find(at, { project, scope, terms, where, limit });
}

export async function findNewest(
  { db, run, dialect }: At,
  project: Project,
  { selection, limit }: { selection: Selection; limit: number },
): Promise<Candidate[]> {
  const newest = db
    .selectFrom('memories')
    .select(candidateColumns)
    .where('memories.project_key', '=', project.key)
    .where(selectionSql(selection, dialect.filter))
    .orderBy('memories.created_at', 'desc')
    .orderBy('memories.position', 'desc')
    .limit(limit);
  return run(newest.compile());
}

export async function findAtPlaces(
  { db, run, dialect }: At,
  project: Project,
  { selection, places }: { selection: Selection; places: readonly RunPlace[] },
): Promise<Candidate[]> {
  if (places.length === 0) return [];
  const there = db
    .selectFrom(dialect.places(places).as('wanted'))
    // A cross join keeps the order of the tables: each place is looked up in the index of runs.
    .crossJoin('memories')
    .select(candidateColumns)
    .where('memories.project_key', '=', project.key)
    .whereRef('memories.run_id', '=', 'wanted.run_id')
    .whereRef('memories.place', '=', 'wanted.place')
    .where(selectionSql(selection, dialect.filter));
  return run(there.compile());
}

/** Under which words the index finds a memory as this project's and these entities'. */
export function scopeTokens(project: Project, entityKeys: readonly number[]): string[] {
  return [projectToken(project), ...entityKeys.map(entityToken)];
}

/** Groups of tokens, one of each of which a memory needs; null when none can have them all. */
async function findScope(at: At, project: Project, filter: Filter): Promise<string[][] | null> {
  const groups: string[][] = [];
  for (const entities of entitiesAsked(filter)) {
    const keys = await findEntityKeys(at, project, entities);
    if (keys.length === 0) return null;
    groups.push(keys.map(entityToken));
  }
  // Entities are a project's own: the much more frequent token of the project adds nothing to them.
  return groups.length > 0 ? groups : [[projectToken(project)]];
}

type Asked = { type: EntityType; ids: readonly string[] };

/** Entities that every memory of the filter must belong to: comparisons that nothing weakens. */
function entitiesAsked(filter: Filter): Asked[] {
  if ('all' in filter) return filter.all.flatMap(entitiesAsked);
  return 'field' in filter ? entityAsked(filter) : [];
}

function entityAsked({ field, operator, value }: FilterComparison): Asked[] {
  const type = entityTypes.find((candidate) => entityIdField(candidate) === field);
  if (type === undefined || (operator !== 'eq' && operator !== 'in')) return [];
  const ids = [value].flat();
  return ids.every((id) => typeof id === 'string') ? [{ type, ids }] : [];
}

function projectToken(project: Project): string {
  return `p${project.key}`;
}

function entityToken(key: number): string {
  return `e${key}`;
}
