import { createHmac } from 'node:crypto';
import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { entityTypes, typedIdFields } from '../../contract/schemas/entity.ts';
import { entityIdsOfFilter, filterOf } from '../memory/selection.ts';
import type { AuditEntity, AuditedCall, AuditLog, Deps } from '../ports/index.ts';
import { type AuditKey, hashEntry } from './hash-chain.ts';

/**
 * One chain for this process, which begins where the log ends. An entry is on disk before its call
 * is answered.
 */
export function createAuditLog(
  deps: Pick<Deps, 'store' | 'clock' | 'ids' | 'random'>,
  key: AuditKey = null,
): AuditLog {
  const chain = deps.ids.next();
  let last = { number: 0, hash: '' };
  let writing: Promise<void> = Promise.resolve();

  const write = async (call: AuditedCall): Promise<void> => {
    const { account_id, key_id = null } = call.caller;
    const about = {
      account_id,
      key_id,
      project_id: call.project?.project_id ?? null,
      operation: call.name,
      ids: [...new Set([...recordIds(call.input), ...recordIds(call.output)])].slice(0, idsMax),
      outcome: outcomeOf(call.error),
    };
    const entities = await digestEntities(deps, call);
    const place = { chain, number: last.number + 1, created_at: deps.clock.now() };
    const isFirst = last.number === 0;
    const previous = isFirst ? ((await deps.store.audit.findLastHash()) ?? '') : last.hash;
    const entry = { ...place, ...about, entities, previous };
    const hash = hashEntry(entry, key);
    await deps.store.audit.append({ ...entry, hash });
    last = { number: entry.number, hash };
  };

  return {
    record: (call) => {
      const written = writing.then(() => write(call));
      // A later entry follows the last one that was written.
      writing = written.catch(() => {});
      return written;
    },
  };
}

/** More are those of a bulk call; its event names what it was about. */
const idsMax = 2000;

const recordIdShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const recordIdField = /^(?:id|ids|(?!user_|agent_|app_|run_|entity_)\w+_ids?)$/;

/** Ids that mneme made, in the fields that hold such ids. */
function recordIds(value: unknown, field = '', depth = 0): string[] {
  if (typeof value === 'string') {
    return recordIdField.test(field) && recordIdShape.test(value) ? [value] : [];
  }
  if (Array.isArray(value)) {
    return depth > depthMax ? [] : value.flatMap((item) => recordIds(item, field, depth + 1));
  }
  if (!isObject(value) || depth > depthMax) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    freeFields.has(name) ? [] : recordIds(part, name, depth + 1),
  );
}

/** A refused input may be nested as deep as its sender likes. */
const depthMax = 3;

/** Fields whose content is the caller's own. */
const freeFields = new Set(['metadata', 'payload', 'filters', 'schema', 'data', 'messages']);

function outcomeOf(error: unknown): string {
  if (error === null) return 'ok';
  return error instanceof ApiError ? error.code : 'internal';
}

async function digestEntities(
  { random, store: { audit } }: Pick<Deps, 'random' | 'store'>,
  { project, input }: AuditedCall,
): Promise<string[]> {
  if (project === null) return [];
  const digests: string[] = [];
  for (const entity of namedEntities(input)) {
    const fresh = Buffer.from(random(32)).toString('hex');
    const salt = await audit.getSalt(project, entity, fresh);
    if (salt === null) continue;
    digests.push(`${entity.type}:${createHmac('sha256', salt).update(entity.id).digest('hex')}`);
  }
  return digests;
}

function namedEntities(input: unknown): AuditEntity[] {
  if (!isObject(input)) return [];
  const { entity_type, entity_id } = input;
  const type = entityTypes.find((one) => one === entity_type);
  const subject =
    type !== undefined && typeof entity_id === 'string' ? [{ type, id: entity_id }] : [];
  const ids = idsOf(input);
  const owners = typedIdFields.flatMap((one) => {
    const id = ids[one.field];
    return typeof id === 'string' ? [{ type: one.type, id }] : [];
  });
  return [...subject, ...owners];
}

function idsOf(input: Readonly<Record<string, unknown>>): Partial<Record<string, unknown>> {
  if (!isObject(input.filters)) return input;
  try {
    return entityIdsOfFilter(filterOf(input));
  } catch {
    return input; // the call was refused for its filter
  }
}
