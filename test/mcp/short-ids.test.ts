import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import type { McpOptions } from '../../src/mcp/tools/options.ts';
import { makeEvent, makeMemory } from '../storage/memory.ts';
import { insert } from '../storage/support.ts';
import { startClient } from '../support/client-target.ts';
import { owner, startEngine } from '../support/engine.ts';
import { startRemote } from '../support/remote-target.ts';
import { startRest } from '../support/rest-target.ts';
import { directTarget, mcpTarget, type Target } from '../support/targets.ts';
import { callOn, dataOf, optionsFor, scripted, textOf } from './support.ts';

const end = 'abcdef12';
const idOf = (number: number) => `0199a6b2-0000-7000-8000-000${number}${end}`;
const [first, second] = [idOf(1), idOf(2)];

let target: Target;
afterEach(() => target.stop());

/** Memories whose ids end alike, in a project. */
async function store(ids: readonly string[], { user_id = 'ann', of = 'own' as const } = {}) {
  const { engine } = target;
  const memories = ids.map((id) => makeMemory({ id, user_id, memory: `about ${id}` }));
  await insert(engine.store, engine.projects[of], ...memories);
}

const faces = [
  ['through MCP', async () => mcpTarget(await startEngine(), owner)],
  ['through MCP in front of a remote', startRemote],
] as const;
const others = [
  ['directly', startDirect],
  ['through REST', startRest],
  ['through the typed client', startClient],
] as const;

async function startDirect(): Promise<Target> {
  return directTarget(await startEngine(), owner);
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

describe.each(faces)('a short id, %s', (_name, start) => {
  beforeEach(async () => {
    target = await start();
    await store([first]);
  });

  it('names a memory wherever a full id does', async () => {
    const { call } = target;

    await call('update_memory', { memory_id: end, text: 'corrected' });
    await call('batch_update_memories', {
      memories: [{ memory_id: end.toUpperCase(), metadata: { a: 1 } }],
    });
    await call('add_feedback', { memory_id: end, feedback: 'POSITIVE' });
    const got = await call('get_memory', { memory_id: end });
    const { results } = await call('get_history', { memory_id: end });
    await call('batch_delete_memories', { memory_ids: [end] });
    await store([first]);
    await call('delete_memory', { memory_id: end });

    expect(got).toMatchObject({ id: first, memory: 'corrected', metadata: { a: 1 } });
    expect(results.map(({ memory_id }) => memory_id)).toEqual([first, first]);
    expect((await call('get_memories', { user_id: 'ann' })).results).toEqual([]);
  });

  it('names a deleted memory where its history is asked for', async () => {
    const { call, refusal } = target;
    await call('delete_memory', { memory_id: end });

    const { results } = await call('get_history', { memory_id: end });

    expect(results.map(({ memory_id, event }) => [memory_id, event])).toEqual([[first, 'DELETE']]);
    expect(await refusal('get_memory', { memory_id: end })).toMatchObject({ code: 'not_found' });
  });

  it('of a memory and of a deleted one is refused only where both are meant', async () => {
    await target.call('delete_memory', { memory_id: first });
    await store([second]);

    const refusal = await target.refusal('get_history', { memory_id: end });

    expect(refusal.code).toBe('invalid');
    expect(refusal.message).toContain(`${end} is the end of several ids: ${first}, ${second}`);
    expect((await target.call('get_memory', { memory_id: end })).id).toBe(second);
  });

  it('names memories in conditions, however deep', async () => {
    const third = `${first.slice(0, -8)}00000012`;
    await store([third]);
    const idsWith = async (filters: unknown) => {
      const { results } = await target.call('get_memories', { user_id: 'ann', filters });
      return results.map(({ id }) => id).toSorted();
    };

    for (const condition of [
      { id: end },
      { memory_id: end.toUpperCase() },
      { memory_ids: [end] },
      { id: { eq: end } },
      { id: { in: [end] } },
      { id: { nin: `x, 00000012` } },
      { id: { ne: '00000012' } },
      { id: { contains: end } },
      JSON.stringify({ id: end }),
      { NOT: { id: ['00000012'] } },
      { OR: [{ AND: [{ id: end }] }, { run_id: 'x' }] },
    ]) {
      expect([condition, await idsWith(condition)]).toEqual([condition, [first]]);
    }
    expect(await idsWith({ id: { in: `${end}, 00000012` } })).toEqual([third, first].toSorted());
    expect(await idsWith({ id: { in: [end, third] } })).toEqual([third, first].toSorted());
  });

  it('of several or of none is refused in a condition', async () => {
    await store([second]);

    const filters = { NOT: [{ id: end }] };
    const several = await target.refusal('search_memories', { query: 'x', filters });
    const none = await target.refusal('delete_all_memories', { filters: { id: '00000000' } });

    expect(several.code).toBe('invalid');
    expect(several.message).toContain(`filters: ${end} is the end of several ids: ${first}`);
    expect(none).toMatchObject({
      code: 'not_found',
      message: 'no memory found whose id ends in 00000000',
    });
  });

  it('names an event, an export and a webhook', async () => {
    const { call } = target;
    const added = await call('add_memory', { user_id: 'ann', text: 'Ann likes tea' });
    const made = await call('create_export', { user_id: 'ann', schema: { type: 'object' } });
    const hook = await call('create_webhook', { url: 'https://example.com/hook' });
    const short = (id: string) => id.slice(-8);

    const event = await call('get_event', { event_id: short(added.event_id) });
    const exported = await call('get_export', { memory_export_id: short(made.id) });
    const webhook_id = short(hook.webhook_id);
    const webhook = await call('get_webhook', { webhook_id });
    const deliveries = await call('list_webhook_deliveries', { webhook_id });
    await call('update_webhook', { webhook_id, name: 'renamed' });
    await call('delete_webhook', { webhook_id: webhook_id.toUpperCase() });

    expect(event).toMatchObject({ id: added.event_id, event_type: 'ADD' });
    expect(exported.id).toBe(made.id);
    expect(webhook.webhook_id).toBe(hook.webhook_id);
    expect(deliveries.results).toEqual([]);
    expect((await call('list_webhooks', {})).results).toEqual([]);
  });

  it.each([
    ['get_event', 'event_id', 'event'],
    ['get_export', 'memory_export_id', 'export'],
    ['get_webhook', 'webhook_id', 'webhook'],
    ['get_history', 'memory_id', 'memory'],
  ] as const)('that is unknown is not found by %s', async (name, field, what) => {
    const refusal = await target.refusal(name, { [field]: '00000000' });

    expect(refusal).toMatchObject({
      code: 'not_found',
      message: `no ${what} found whose id ends in 00000000`,
    });
  });

  it('of several events is refused with their ids', async () => {
    const { store: tables, projects } = target.engine;
    const events = [makeEvent({ id: first }), makeEvent({ id: second })];
    for (const event of events) {
      await tables.transaction((tx) => tx.events.insert(projects.own, event));
    }
    const { org_id, project_id } = projects.sibling;

    const several = await target.refusal('get_event', { event_id: end });
    const hidden = await target.refusal('get_event', { event_id: end, org_id, project_id });

    expect(several.code).toBe('invalid');
    expect(several.message).toContain(`event_id: ${end} is the end of several ids: ${first}`);
    expect(hidden.code).toBe('not_found');
  });

  it('names memories in every shape that a call may have', async () => {
    const memories = [{ memory_id: end }];

    const { deleted } = await target.call('batch_delete_memories', { memories });

    expect(deleted).toBe(1);
  });

  it('of several memories is refused with their ids', async () => {
    await store([second], { user_id: 'bob' });

    const refusal = await target.refusal('get_memory', { memory_id: end });

    expect(refusal.code).toBe('invalid');
    expect(refusal.message).toContain(`${end} is the end of several ids: ${first}, ${second}`);
  });

  it('of no memory, or one of another project, is not found', async () => {
    const { org_id, project_id } = target.engine.projects.sibling;
    const elsewhere = { org_id, project_id };

    const unknown = await target.refusal('get_memory', { memory_id: '00000000' });
    const hidden = await target.refusal('delete_memory', { memory_id: end, ...elsewhere });

    expect(unknown).toMatchObject({
      code: 'not_found',
      message: 'no memory found whose id ends in 00000000',
    });
    expect(hidden).toMatchObject({
      code: 'not_found',
      message: `no memory found whose id ends in ${end}`,
    });
  });

  it('names all that are unknown of many', async () => {
    const memory_ids = [end, '00000000', '11111111', second];

    const refusal = await target.refusal('batch_delete_memories', { memory_ids });

    expect(refusal).toMatchObject({
      code: 'not_found',
      message: 'no memory found whose id ends in 00000000, 11111111',
    });
    expect((await target.call('get_memory', { memory_id: first })).id).toBe(first);
  });
});

describe.each(others)('a short id, %s', (_name, start) => {
  it('is no id', async () => {
    target = await start();
    await store([first]);

    const refusal = await target.refusal('get_memory', { memory_id: end });

    expect(refusal.code).toBe('invalid');
    expect(refusal.message).toContain('memory_id should be a valid UUID');
  });
});

describe.each(others)('a short id, %s', (_name, start) => {
  it.each([
    ['get_event', 'event_id'],
    ['get_export', 'memory_export_id'],
    ['get_webhook', 'webhook_id'],
    ['get_history', 'memory_id'],
  ] as const)('is no id for %s', async (name, field) => {
    target = await start();

    const refusal = await target.refusal(name, { [field]: end });

    expect(refusal.code).toBe('invalid');
    expect(refusal.message).toContain(`${field} should be a valid UUID`);
  });

  it('matches nothing as a condition', async () => {
    target = await start();
    await store([first]);

    const { total } = await target.call('get_memories', { user_id: 'ann', filters: { id: end } });

    expect(total).toBe(0);
  });
});

describe('under a lock', () => {
  it("nobody else's memory is found, or makes an id ambiguous", async () => {
    target = await startDirect();
    await store([first], { user_id: 'ann' });
    await store([second], { user_id: 'bob' });
    const changes: Partial<McpOptions> = { caller: owner, lock_scope: true };
    const callAs = (user_id: string) =>
      callOn(optionsFor(target.engine.invoke, { ...changes, scope: { user_id } }));

    const anns = await callAs('ann')('get_memory', { memory_id: end });
    const eves = await callAs('eve')('get_memory', { memory_id: end });

    expect(dataOf(anns)).toMatchObject({ id: first });
    expect(textOf(eves)).toContain(`no memory found whose id ends in ${end}`);
  });
});

describe('under a lock', () => {
  const callAs = (user_id: string) => {
    const changes: Partial<McpOptions> = { caller: owner, lock_scope: true, scope: { user_id } };
    return callOn(optionsFor(target.engine.invoke, changes));
  };

  it("an event, a deleted memory and a condition of somebody else's is not found", async () => {
    target = await startDirect();
    await store([first, second]);
    await target.call('batch_delete_memories', { memory_ids: [first] });
    const added = await target.call('add_memory', { user_id: 'ann', text: 'Ann likes tea' });
    const event_id = added.event_id.slice(-8);
    const filters = { id: end };
    const calls = [
      ['get_event', { event_id }, added.event_id],
      ['get_memories', { filters }, second],
    ] as const;

    for (const [name, input, id] of calls) {
      expect(JSON.stringify(dataOf(await callAs('ann')(name, input)))).toContain(id);
      expect(textOf(await callAs('eve')(name, input))).toContain('found whose id ends in');
    }
    const deleted = await callAs('eve')('get_history', { memory_id: end });
    expect(textOf(deleted)).toContain('no memory found whose id ends in');
  });
});

describe('in a configured project', () => {
  it('a webhook is looked up there', async () => {
    target = await startDirect();
    const { org_id, project_id } = target.engine.projects.sibling;
    const input = { org_id, project_id, url: 'https://example.com/' };
    const { webhook_id } = await target.call('create_webhook', input);
    const asked = { action: 'get', webhook_id: webhook_id.slice(-8) };
    const ask = (scope: McpOptions['scope']) =>
      callOn(optionsFor(target.engine.invoke, { caller: owner, scope }))('manage_webhook', asked);

    expect(dataOf(await ask({ org_id, project_id }))).toMatchObject({ webhook_id });
    expect(textOf(await ask({}))).toContain('no webhook found whose id ends in');
  });
});

describe('text', () => {
  beforeEach(async () => {
    target = await startDirect();
    await store([first]);
  });

  it.each([
    ['get_memories', { user_id: 'ann' }],
    ['get_memories', { user_id: 'ann', response_format: 'detailed' }],
    ['get_memory', { memory_id: first }],
    ['add_feedback', { memory_id: first, feedback: 'POSITIVE' }],
  ])('of %s has the short id, and structured content the full one', async (name, input) => {
    const call = callOn(optionsFor(target.engine.invoke, { caller: owner }));

    const result = await call(name, input);

    const told = textOf(result).replaceAll(`about ${first}`, '');
    expect(told).toContain(end);
    expect(told).not.toContain(first);
    expect(JSON.stringify(dataOf(result))).toContain(first);
  });
});

describe('text about other records', () => {
  it('has the short id, and structured content the full one', async () => {
    target = await startDirect();
    const call = callOn(optionsFor(target.engine.invoke, { caller: owner }));
    const url = 'https://example.com/hook';
    const schema = { type: 'object' };
    await call('manage_webhook', { action: 'create', url });
    const results = [
      await call('add_memory', { user_id: 'ann', text: 'Ann likes tea' }),
      await call('create_export', { user_id: 'ann', schema }),
      await call('manage_webhook', { action: 'list' }),
      await call('list_events', {}),
      await call('list_events', { response_format: 'detailed' }),
    ];

    for (const result of results) {
      // What is stored needs no event to ask for.
      const { event_id: _, ...data } = dataOf(result);
      const [id = 'none'] = uuid.exec(JSON.stringify(data)) ?? [];
      expect(textOf(result)).toContain(id.slice(-8));
      expect(textOf(result)).not.toContain(id);
    }
  });

  it('has the ids of entities in full, even if they look like ours', async () => {
    target = await startDirect();
    const call = callOn(optionsFor(target.engine.invoke, { caller: owner }));
    await call('add_memory', { user_id: first, text: 'Likes tea' });

    expect(textOf(await call('list_entities', {}))).toContain(first);
    expect(textOf(await call('get_memories', { user_id: first }))).toContain(first);
  });

  it('says what to ask about a write that is not done yet', async () => {
    const message = 'Accepted';
    const { invoke } = scripted({
      add_memory: () => ({ message, status: 'PENDING', event_id: first, results: [] }),
    });
    target = await startDirect();

    const result = await callOn(optionsFor(invoke))('add_memory', { user_id: 'ann', text: 'x' });

    expect(textOf(result)).toContain(`Call get_event with event_id "${end}"`);
    expect(dataOf(result).message).toContain(`Call get_event with event_id "${first}"`);
  });
});

describe('the reason for a change', () => {
  it('names another memory by its short id, as text', async () => {
    target = await startDirect();
    const call = callOn(optionsFor(target.engine.invoke, { caller: owner }));
    const input = { user_id: 'ann', text: 'Ann likes tea' };
    const stored = JSON.stringify(dataOf(await call('add_memory', input)));
    const id = /"id":"([\da-f-]{36})"/.exec(stored)?.[1] ?? 'none';

    const repeated = await call('add_memory', input);

    expect(textOf(repeated)).toContain(`duplicate of ${id.slice(-8)}`);
    expect(textOf(repeated)).not.toContain(id);
  });
});

describe('in front of another server', () => {
  it.each([
    new ApiError('not_found', 'Not found.'),
    new ApiError('unavailable', 'the remote at x has no such path (status 405)'),
  ])('a short id is refused: %s', async (error) => {
    target = await startDirect();
    const { invoke, calls } = scripted({
      resolve_ids: () => {
        throw error;
      },
    });

    const result = await callOn(optionsFor(invoke))('get_memory', { memory_id: end });

    expect(textOf(result)).toContain('this server cannot look up short ids; use the full id');
    expect(calls.map(({ name }) => name)).toEqual(['resolve_ids']);
  });
});
