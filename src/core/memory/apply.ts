import { createHash } from 'node:crypto';
import type { WriteResult } from '../../contract/schemas/change.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { Deps, Fact, Instant } from '../ports.ts';
import { announce, type ChangeUnit } from '../webhooks/announce.ts';
import { categorize } from './categorize.ts';
import { type Unindexed, withTerms } from './index-terms.ts';
import { historyEntry } from './record.ts';

/** What all memories of one add have in common. */
export type AddScope = EntityIds & {
  metadata: Record<string, unknown>;
  immutable: boolean;
  expiration_date: string | null;
  /** Names of categories with what belongs to them. */
  categories: Record<string, string>;
  /** Unix seconds that backdate `created_at`; null is now. */
  timestamp: number | null;
};

/**
 * Stores each fact that its scope does not hold yet, with its history, and answers one result a
 * fact, in order. The caller's transaction makes it all or nothing.
 */
export async function applyFacts(
  deps: Pick<Deps, 'clock' | 'ids'>,
  unit: ChangeUnit,
  { facts, scope }: { facts: readonly Fact[]; scope: AddScope },
): Promise<WriteResult[]> {
  const fresh = new Map<string, Unindexed>();
  const inputs = new Map<string, Message[]>();
  const results: WriteResult[] = [];
  for (const fact of facts) {
    const hash = hashOf(fact.text);
    const stored = await unit.tables.memories.findSame(unit.project, scope, hash);
    const same = fresh.get(hash) ?? stored;
    // What has expired is hidden: to be remembered again, it is stored again.
    if (same !== null && !isExpired(same, deps.clock.now())) {
      results.push(noop(fact.text, { id: same.id, scope, reason: `duplicate of ${same.id}` }));
      continue;
    }
    const memory = newMemory(deps, fact, { hash, scope });
    fresh.set(hash, memory);
    inputs.set(memory.id, [excerptOf(fact)]);
    results.push(added(memory));
  }
  const memories = await withTerms(unit, [...fresh.values()]);
  const history = memories.map((memory) =>
    historyEntry(deps, memory, {
      event: 'ADD',
      input: inputs.get(memory.id) ?? [],
      old_memory: null,
    }),
  );
  if (memories.length > 0) {
    await unit.tables.memories.insert(unit.project, memories);
    await unit.tables.history.insert(unit.project, history);
    const announcements = memories.map((memory) => ({ event: 'ADD' as const, memory }));
    await announce(deps, unit, announcements);
  }
  return results;
}

function isExpired({ expiration_date }: Pick<Unindexed, 'expiration_date'>, now: Instant): boolean {
  return expiration_date !== null && expiration_date < now.slice(0, 'YYYY-MM-DD'.length);
}

/**
 * The message that a fact came from; of a long one what stands around it. Every fact keeps its own,
 * and a pasted document holds thousands.
 */
function excerptOf({ text, source }: Fact): Message {
  const { content } = source;
  const at = Math.max(0, content.indexOf(text));
  const from = Math.max(0, at - contextChars);
  const to = at + text.length + contextChars;
  if (from === 0 && to >= content.length) return source;
  const part = content.slice(from, to).toWellFormed();
  const end = to < content.length ? '…' : '';
  return { ...source, content: `${from > 0 ? '…' : ''}${part}${end}` };
}

/** Kept on each side of a fact: some sentences. */
const contextChars = 1000;

/** The result that says why nothing was stored. */
export function noop(
  text: string,
  { id, scope, reason }: { id: string | null; scope: EntityIds; reason: string },
): WriteResult {
  const shown = text.slice(0, noopTextMaxChars);
  return {
    id,
    event: 'NOOP',
    memory: shown,
    data: { memory: shown },
    user_id: scope.user_id,
    reason,
  };
}

/** A NOOP names the text that it is about; its beginning is enough to know it by. */
const noopTextMaxChars = 500;

/** MD5 of the text in NFC, trimmed, white space collapsed: the published clients' hash. */
export function hashOf(text: string): string {
  const normalised = text.normalize('NFC').trim().replace(/\s+/g, ' ');
  return createHash('md5').update(normalised).digest('hex');
}

function newMemory(
  deps: Pick<Deps, 'clock' | 'ids'>,
  { text, source }: Fact,
  { hash, scope }: { hash: string; scope: AddScope },
): Unindexed {
  const now = deps.clock.now();
  const { user_id, agent_id, app_id, run_id, timestamp } = scope;
  return {
    id: deps.ids.next(),
    memory: text,
    hash,
    user_id,
    agent_id,
    app_id,
    run_id,
    metadata: scope.metadata,
    categories: categorize(text, scope.categories),
    immutable: scope.immutable,
    expiration_date: scope.expiration_date,
    created_at: timestamp === null ? now : new Date(timestamp * 1000).toISOString(),
    updated_at: now,
    replaced_by: null,
    role: source.role,
    speaker: source.name ?? null,
  };
}

function added(memory: Unindexed): WriteResult {
  return {
    id: memory.id,
    event: 'ADD',
    memory: memory.memory,
    data: { memory: memory.memory },
    user_id: memory.user_id,
  };
}
