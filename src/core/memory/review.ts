import { ApiError } from '../../contract/errors.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Output, Parsed } from '../../contract.ts';
import {
  changeOf,
  changeResult,
  historyEntry,
  memoryChangeEvent,
  recordEvent,
} from '../history/record.ts';
import type { Deps, ProjectCall, StoredMemory } from '../ports/index.ts';
import { flagInjection } from '../safety/prompt-injection.ts';
import { type OutboxUnitOfWork, withOutbox } from '../webhooks/outbox.ts';
import { isExpired } from './add-context.ts';
import { memoryNotFound } from './not-found.ts';
import { allowText, refuseText } from './refused-texts.ts';
import { type NewText, newTextPatch, rewriteMemory } from './rewrite.ts';
import { supersededAt } from './validity.ts';

type ReviewInput = Parsed<'review_memory'>;
type ReviewOutput = Output<'review_memory'>;
type Review = { deps: Deps; unit: OutboxUnitOfWork; memory: StoredMemory };
type ReviewAnswer = StrictOmit<ReviewOutput, 'event_id'>;
/** The memory that an accepted one replaces; null for none, undefined for the proposed one. */
type Replaced = ReviewInput['replaces'];

/** Carries out what a reviewer decided of a memory that waits. */
export async function reviewMemory(
  deps: Deps,
  input: ReviewInput,
  { project }: ProjectCall,
): Promise<ReviewOutput> {
  const { memory_id, decision, text, replaces } = input;
  const edited = text === undefined ? null : await newTextPatch(deps, text);
  return withOutbox(deps, project, async (unit) => {
    const memory = await unit.tables.memories.find(project, memory_id);
    if (memory === null) return takeBack(unit, input);
    if (memory.status === 'active') {
      throw new ApiError('conflict', `memory ${memory_id} does not wait for a review`);
    }
    const review = { deps, unit, memory };
    const answer =
      decision === 'accept' ? await accept(review, edited, replaces) : await decline(review);
    if (decision === 'never') await refuseText(unit, memory, deps.clock.now());
    const event = decision === 'accept' ? 'UPDATE' : 'DELETE';
    const change = memoryChangeEvent(event, memory, { ...input });
    return { ...answer, event_id: await recordEvent(deps, unit, change) };
  });
}

/** Declining a text that was refused for good allows texts like it again. */
async function takeBack(
  unit: OutboxUnitOfWork,
  { memory_id, decision }: ReviewInput,
): Promise<ReviewOutput> {
  if (decision !== 'decline' || !(await allowText(unit, memory_id))) throw memoryNotFound();
  return { message: 'Similar text may be stored again', results: [], event_id: null };
}

async function accept(
  review: Review,
  newText: NewText | null,
  replaces: Replaced,
): Promise<ReviewAnswer> {
  const { deps, unit } = review;
  const edited = newText === null ? {} : withFlag(review, newText);
  const accepted = { ...review.memory, ...edited };
  await refuseDuplicate(unit, accepted);
  const old = await findReplaced(review, replaces);
  if (old === null) {
    const beside = replaces === null ? keptBeside : {};
    const patch = { ...edited, ...acceptedFields, ...beside, updated_at: deps.clock.now() };
    const { memory } = review;
    const active = await rewriteMemory(deps, unit, { memory, patch, announce: 'ADD' });
    return { message: 'Memory accepted', results: [changeResult('ADD', active)] };
  }
  const { type, slot, said, role, speaker, occurred_at, occurred_granularity } = accepted;
  const { memory, hash, source_class, categories, metadata } = accepted;
  const may_replace = accepted.may_replace.filter((id) => id !== old.id);
  const about = { type, slot, said, role, speaker, occurred_at, occurred_granularity };
  const pinned = accepted.pinned || old.pinned;
  const { valid_until, created_at } = accepted;
  const valid_from = accepted.valid_from ?? created_at;
  const text = { memory, hash, source_class, may_replace };
  const patch = { ...text, categories, metadata, pinned, ...about };
  const validity = { valid_from, valid_until };
  await removeWaiting(review);
  const updated_at = deps.clock.now();
  const updated = await rewriteMemory(deps, unit, {
    memory: old,
    patch: { ...patch, ...validity, updated_at },
    superseded_at: supersededAt(old, valid_from),
  });
  const message = `Memory accepted: it replaced the text of ${old.id}`;
  return { message, results: [changeResult('UPDATE', updated)] };
}

/** The flag of a text goes with it. */
function withFlag({ deps, memory }: Review, edited: NewText) {
  return { ...edited, metadata: flagInjection(deps, edited.memory, memory.metadata) };
}

/** A reviewer who keeps both has decided: neither fills a slot or contradicts another. */
const keptBeside = { slot: null, may_replace: [] };
const acceptedFields = { status: 'active', review_reason: null, supersedes: null } as const;

async function refuseDuplicate(
  { tables, project }: OutboxUnitOfWork,
  memory: StoredMemory,
): Promise<void> {
  const same = await tables.memories.findDuplicate(project, memory, memory.hash);
  if (same === null) return;
  throw new ApiError('conflict', `memory ${same.id} holds the same text; decline this one`);
}

async function findReplaced(review: Review, replaces: Replaced): Promise<StoredMemory | null> {
  if (replaces === null) return null;
  if (replaces === undefined) return findSuperseded(review);
  const { unit, memory } = review;
  const old = await unit.tables.memories.find(unit.project, replaces);
  if (old !== null && isReplaceable(review, old)) return old;
  throw new ApiError('conflict', `memory ${replaces} cannot be replaced by ${memory.id}`);
}

/** The memory whose text is replaced: the one that was meant, or the one that fills the slot. */
async function findSuperseded(review: Review): Promise<StoredMemory | null> {
  const { unit, memory } = review;
  const { tables, project } = unit;
  const { supersedes, slot } = memory;
  const meant = supersedes === null ? null : await tables.memories.find(project, supersedes);
  const old = meant ?? (slot && (await tables.memories.findBySlot(project, memory, slot))) ?? null;
  return old && isReplaceable(review, old) ? old : null;
}

function isReplaceable({ deps, memory }: Review, old: StoredMemory): boolean {
  if (old.immutable || old.status !== 'active' || old.replaced_by !== null) return false;
  const isOwn = entityIdFields.every((field) => old[field] === memory[field]);
  return isOwn && !isExpired(old, deps.clock.now(), deps);
}

async function decline(review: Review): Promise<ReviewAnswer> {
  await removeWaiting(review);
  return { message: 'Memory declined', results: [changeResult('DELETE', review.memory)] };
}

/** Its history stays, with the message that it came from. */
async function removeWaiting({ deps, unit, memory }: Review): Promise<void> {
  const entry = historyEntry(deps, memory, { event: 'DELETE', old_memory: memory.memory });
  await unit.tables.history.insert(unit.project, [entry]);
  await unit.tables.memories.delete(unit.project, [memory.id], changeOf(deps, unit));
}
