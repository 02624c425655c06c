import { describe, expect, it } from 'vitest';
import { clientOf, json, memoryId } from './support.ts';

const eventId = '01957f3a-0000-7000-8000-00000000000e';
const queued = { message: 'Queued', status: 'PENDING', event_id: eventId, results: [] };
const change = {
  id: memoryId,
  event: 'ADD',
  memory: 'Likes tea',
  data: { memory: 'Likes tea' },
  user_id: 'alice',
};
const add = { messages: 'I like tea', user_id: 'alice', project_id: 'home' };

function event(status: string, more: object = {}) {
  const times = { created_at: '2026-03-14T09:26:53Z', updated_at: '2026-03-14T09:26:53Z' };
  const base = { id: eventId, event_type: 'ADD', payload: {}, results: [], error: null };
  return json({ ...base, ...times, status, ...more });
}

describe('a write that answers PENDING', () => {
  it('is waited for until its event has ended', async () => {
    const done = event('SUCCEEDED', { results: [change] });
    const { invoke, requests } = clientOf([json(queued), event('RUNNING'), done]);

    const answer = await invoke('add_memory', add, { wait_ms: 5_000 });

    expect(answer).toMatchObject({ status: 'SUCCEEDED', event_id: eventId, results: [change] });
    const looks = requests.filter(({ path }) => path.includes(eventId));
    expect(looks).toHaveLength(2);
    expect(looks.every(({ path }) => path.includes('project_id=home'))).toBe(true);
  });

  it('answers why it failed', async () => {
    const failed = event('FAILED', { error: 'too many facts' });
    const { invoke } = clientOf([json(queued), failed]);

    const answer = await invoke('add_memory', add, { wait_ms: 5_000 });

    expect(answer).toMatchObject({ status: 'FAILED' });
    expect(answer.message).toContain('too many facts');
  });

  it('stays PENDING when it takes longer', async () => {
    const { invoke } = clientOf([json(queued), event('RUNNING')]);

    const answer = await invoke('add_memory', add, { wait_ms: 40 });

    expect(answer).toMatchObject({ status: 'PENDING', event_id: eventId });
  });

  it('stays PENDING when the remote cannot be asked', async () => {
    const { invoke } = clientOf([json(queued), json({ detail: 'no' }, { status: 403 })]);

    const answer = await invoke('add_memory', add, { wait_ms: 5_000 });

    expect(answer).toMatchObject({ status: 'PENDING', event_id: eventId });
  });

  it('is not waited for where the caller names no time', async () => {
    const { invoke, requests } = clientOf([json(queued)]);

    const answer = await invoke('add_memory', add);

    expect(answer.status).toBe('PENDING');
    expect(requests.filter(({ path }) => path.includes(eventId))).toEqual([]);
  });

  it('ends with its caller', async () => {
    const { invoke } = clientOf([json(queued), event('RUNNING')]);
    const reason = new Error('the user left');
    const signal = AbortSignal.abort(reason);

    await expect(invoke('add_memory', add, { wait_ms: 5_000, signal })).rejects.toBe(reason);
  });
});
