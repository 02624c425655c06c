import { createHash } from 'node:crypto';
import type {
  EntityLine,
  GraphLine,
  RelationLine,
} from '../../contract/archive/server-memory-line.ts';
import { limits } from '../../contract/limits.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { ProjectRef } from '../ports/index.ts';

/** Where the memories go, and whose they are. */
export type GraphScope = { project: ProjectRef; ids: EntityIds };

/** A memory that a line states, before it has times. */
export type StatedMemory = {
  id: string;
  memory: string;
  metadata: Record<string, string>;
  relations: GraphEdge[];
};

type GraphEdge = Record<
  'source' | 'source_type' | 'relationship' | 'target' | 'target_type',
  string
>;

/**
 * Turns lines into memories. The same line is the same memory each time: its id is made from what
 * it says and from where it goes. Types of entities are remembered for the relations, which the
 * server writes after them.
 */
export function createGraphReading(scope: GraphScope): (line: GraphLine) => StatedMemory[] {
  const types = new Map<string, string>();
  return (line) => {
    if (line.type === 'relation') return [relationMemory(line, { scope, types })];
    types.set(line.name, line.entityType);
    return entityMemories(line, scope);
  };
}

/** One for each observation; of an entity without any, what it is. */
function entityMemories(line: EntityLine, scope: GraphScope): StatedMemory[] {
  const { name, entityType } = line;
  const observations = line.observations.map((text) => text.trim()).filter((text) => text !== '');
  const sentences =
    observations.length > 0
      ? observations.map((text) => ({ text, memory: observed(line, text) }))
      : bare(line).map((memory) => ({ text: '', memory }));
  return sentences.map(({ text, memory }) => ({
    id: idOf(scope, ['entity', name, entityType, text]),
    memory,
    metadata: { source, entity: name, entity_type: entityType },
    relations: [],
  }));
}

/** The value of `source` in the metadata of all that comes from such a file. */
const source = 'server-memory';

/** Where the observation begins with the name, the label replaces it. */
function observed({ name, entityType }: EntityLine, text: string): string {
  const type = spelled(entityType);
  const label = type === '' || isUser(name) ? shown(name) : `${shown(name)} (${type})`;
  const names = isUser(name) ? [name, 'the user', 'user'] : [name, shown(name)];
  const lead = names.find((each) => text.toLowerCase().startsWith(`${each.toLowerCase()} `));
  return lead === undefined ? `${label}: ${text}` : label + text.slice(lead.length);
}

function bare({ name, entityType }: EntityLine): string[] {
  const type = spelled(entityType);
  if (type === '' || isUser(name)) return [];
  return [`${shown(name)} is ${/^[aeiou]/i.test(type) ? 'an' : 'a'} ${type}`];
}

function relationMemory({ from, relationType, to }: RelationLine, reading: Reading): StatedMemory {
  const { scope, types } = reading;
  const words = spelled(relationType).toLowerCase().replace(/\s+/g, ' ');
  const edge = {
    source: nodeOf(from, scope),
    source_type: types.get(from) || untyped,
    relationship: words.replaceAll(' ', '_'),
    target: nodeOf(to, scope),
    target_type: types.get(to) || untyped,
  };
  const fits = Object.values(edge).every((part) => part.length <= limits.relation_max_chars);
  return {
    id: idOf(scope, ['relation', from, relationType, to]),
    memory: `${shown(from)} ${words} ${shown(to)}`,
    metadata: { source, from, relation: relationType, to },
    relations: fits ? [edge] : [],
  };
}

type Reading = { scope: GraphScope; types: ReadonlyMap<string, string> };

/** The graph's word for entities of no known type. */
const untyped = 'entity';

/** Entities are called in the graph as they are in the texts; the user by their id. */
function nodeOf(name: string, { ids }: GraphScope): string {
  return isUser(name) ? (ids.user_id ?? ids.agent_id ?? 'user') : shown(name);
}

/** What that server's instructions tell models to call the person who talks to them. */
function isUser(name: string): boolean {
  return name.toLowerCase() === 'default_user';
}

/** A name as a sentence has it: models write `John_Smith`. Paths and code stay as they are. */
function shown(name: string): string {
  if (isUser(name)) return 'User';
  const isWords = /^[\p{L}\p{M}\p{N}'’-]+(?:_[\p{L}\p{M}\p{N}'’-]+)+$/u.test(name);
  return isWords ? name.replaceAll('_', ' ') : name;
}

/** `worksAt`, `works_at` and `works-at` in words; what has spaces is in words already. */
function spelled(identifier: string): string {
  if (/\s/.test(identifier)) return identifier;
  return identifier
    .replace(/(?<=\p{Ll})\p{Lu}/gu, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/[_-]+/g, ' ')
    .trim();
}

/** A UUID of version 8, whose bits each application may choose (RFC 9562). */
function idOf({ project, ids }: GraphScope, parts: readonly string[]): string {
  const { user_id, agent_id, app_id, run_id } = ids;
  const place = [project.org_id, project.project_id, user_id, agent_id, app_id, run_id];
  const hash = createHash('sha256')
    .update(JSON.stringify([source, place, parts]))
    .digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-');
}
