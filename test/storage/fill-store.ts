import type { Job, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { later, makeChange, makeEvent, makeMemory, now } from './memory.ts';
import {
  makeAccount,
  makeAnswer,
  makeAuditEntry,
  makeDelivery,
  makeExport,
  makeKey,
  makeRecall,
  makeWebhook,
} from './records.ts';
import { idsOf } from './support.ts';

/** Characters that engines order, escape or count in ways of their own. */
export const oddIds = ['ann', 'Ann', 'ännä', '\u{1f375} tea', '\uffee', 'a"b\\c', '{1,2}'];

/** Puts something into every table, in two projects; `many` memories in the first. */
export async function fillStore(store: Store, many = 20): Promise<ProjectRef> {
  const own = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  const other = await store.ensureProject({ org_id: 'acme', project_id: 'other' }, now);
  await fillProject(store, own, many);
  await fillProject(store, other, 3);
  await embed(store, 'one', 8);
  await embed(store, 'two', 4);
  await store.transaction(async (tx) => {
    const { account_id } = await tx.accounts.insert(makeAccount());
    const place = { org_id: own.org_id, project_key: own.key };
    await tx.members.put(place, { account_id, role: 'READER', now });
    await tx.keys.insert(makeKey({ account_id, read_only: true, expires_at: later(9) }));
    const link = { account_id, ...allowed };
    await tx.sessions.insert({ hash: 'h', proof_hash: 'p', owner: { link }, ends_at: later(9) });
    await tx.audit.append(makeAuditEntry());
    const hits = [{ id: 'own 1', score: 0.5 }];
    await tx.recalls.insertMany([{ project: own, recall: makeRecall({ hits }) }]);
    await tx.idempotencyKeys.reserve(makeAnswer({ id: 'answer', output: '{"é":"\\u0000"}' }));
    // Changed since they were embedded, and gone: the last position is given out no more.
    await tx.memories.update(own, 'own 1', {
      memory: 'likes mate',
      terms: 'likes mate',
      ...changed,
    });
    await tx.memories.delete(other, ['other 2']);
  });
  return own;
}

/** What a one-time link allows. */
const allowed = {
  org_id: 'acme',
  project_id: 'own',
  bound_to: 'project',
  read_only: true,
} as const;

const changed = { hash: 'mate', updated_at: later(5) };

async function fillProject(store: Store, project: ProjectRef, many: number): Promise<void> {
  const name = project.project_id;
  const memories = Array.from({ length: many }, (_, index) =>
    makeMemory({
      id: `${name} ${index}`,
      memory: `Likes tea number ${index} \u{1f375}`,
      terms: `likes tea number ${index}`,
      hash: `hash ${index}`,
      user_id: oddIds[index % oddIds.length] ?? null,
      run_id: index % 2 === 0 ? `run ${index % 3}` : null,
      metadata: { odd: 'nul \u0000, "quoted"', list: [1, 2.5, null], index },
      categories: index % 3 === 0 ? ['drinks', 'été'] : [],
      created_at: later(index),
      immutable: index % 5 === 4,
      pinned: index % 4 === 1,
      may_replace: index % 6 === 5 ? [`${name} ${index - 1}`, `${name} ${index - 2}`] : [],
      speaker: index % 2 === 0 ? 'Bob' : null,
      speaker_terms: index % 2 === 0 ? 'bob' : '',
      expiration_date: index === 3 ? '2030-01-01' : null,
    }),
  );
  const webhook = makeWebhook();
  const { webhook_id } = webhook;
  const [first = ''] = idsOf(memories);
  await store.transaction(async (tx) => {
    await tx.memories.insert(project, memories);
    for (const id of idsOf(memories)) {
      await tx.history.insert(project, [makeChange({ memory_id: id, metadata: { id } })]);
    }
    const rating = { id: `f ${name}`, feedback: 'NEGATIVE', created_at: now } as const;
    await tx.feedback.put(project, { ...rating, memory_id: first, feedback_reason: 'no tea' });
    await tx.relations.insert(project, [relationOf(first), relationOf(first)]);
    const event = makeEvent({ status: 'SUCCEEDED', latency: 12.375, completed_at: later(1) });
    await tx.events.insertMany([
      { project, event },
      { project, event: makeEvent() },
    ]);
    await tx.webhooks.insert(project, webhook);
    await tx.deliveries.insert(project, [
      makeDelivery({ webhook_id, memory_id: first }),
      makeDelivery({ webhook_id, status: 'DEAD', error: 'no answer', next_attempt_at: null }),
    ]);
    await tx.exports.insert(project, makeExport({ user_id: 'ann', instructions: 'short' }));
    for (const id of oddIds) {
      await tx.documents.put(project, { kind: 'profile', id, value: { id }, now });
    }
    await tx.languages.add(project, ['german', 'french']);
    await tx.jobs.enqueue(project, { ...waiting, id: `job of ${name}` });
  });
  await leavePart(store, project);
}

const waiting = { kind: 'process_event', subject_id: 's', run_at: now } as const;

/** A job that is half done, with its lease. */
async function leavePart(store: Store, project: ProjectRef): Promise<void> {
  const job = await store.jobs.claim({ owner: 'w', now, until: later(60) });
  if (job === null) throw new Error('there is a job');
  const decision = {} as never; // whatever it is, it travels as JSON
  await store.transaction((tx) => tx.jobSteps.insert(job as Job, [[decision], [decision]]));
  if (job.project.key !== project.key) throw new Error('a job of the project was meant');
}

function relationOf(memory_id: string) {
  const [source, target] = [{ source: 'ann', source_type: 'person' }, { target: 'tea' }];
  return { ...source, ...target, target_type: 'thing', relationship: 'likes', memory_id };
}

async function embed(store: Store, name: string, dimension: number): Promise<void> {
  const scale = { unrelated: 0.125, related: 0.75, trust: 1 };
  const model = await store.vectors.openModel({ name, dimension, scale }, now);
  for (;;) {
    const wanted = (await store.vectors.listUnembedded(model, 1000)) ?? [];
    if (wanted.length === 0) return;
    const embedded = wanted.map(({ position, project, hash }) => {
      return { position, project, hash, vector: vectorOf(position, dimension) };
    });
    await store.vectors.put(model, embedded);
  }
}

/** Of length 1, and of no short decimals. */
export function vectorOf(seed: number, dimension: number): Float32Array {
  const values = Array.from({ length: dimension }, (_, index) => Math.sin(seed * 7.3 + index));
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}
