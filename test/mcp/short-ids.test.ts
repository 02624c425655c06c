import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import type { McpOptions } from '../../src/mcp/tools/options.ts';
import { makeMemory } from '../storage/memory.ts';
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
      ...{ code: 'not_found', message: 'no memory found whose id ends in 00000000' },
    });
    expect(hidden).toMatchObject({
      ...{ code: 'not_found', message: `no memory found whose id ends in ${end}` },
    });
  });

  it('names all that are unknown of many', async () => {
    const memory_ids = [end, '00000000', '11111111', second];

    const refusal = await target.refusal('batch_delete_memories', { memory_ids });

    expect(refusal).toMatchObject({
      ...{ code: 'not_found', message: 'no memory found whose id ends in 00000000, 11111111' },
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

    expect(textOf(result)).toContain('short ids cannot be looked up there; use the full id');
    expect(calls.map(({ name }) => name)).toEqual(['resolve_ids']);
  });
});
