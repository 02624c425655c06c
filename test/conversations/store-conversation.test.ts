import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import type { WriteResult } from '../../src/contract/schemas/change.ts';
import type { ImportedConversation } from '../../src/conversations/conversation.ts';
import type { RejectedMessage } from '../../src/conversations/rejected-turns.ts';
import {
  type ConversationStore,
  storeConversation,
  zeroCounts,
} from '../../src/conversations/store-conversation.ts';
import { owner, startEngine } from '../support/engine.ts';

const march = Date.parse('2024-03-05T18:00:00Z') / 1000;

function conversation(said: readonly string[], at: number | null = march): ImportedConversation {
  const turns = said.map((content) => ({ role: 'user' as const, content, at }));
  return { id: 'dogs', title: 'About dogs', source: 'claude', turns };
}

/** What a page does: it stores for one user, and follows how far it is. */
async function prepared(more: Partial<ConversationStore> = {}) {
  const engine = await startEngine();
  onTestFinished(() => engine.stop());
  const seen = {
    stored: [] as number[],
    results: [] as WriteResult['event'][],
    rejected: [] as RejectedMessage[],
  };
  const call = { caller: owner };
  const store: ConversationStore = {
    add: (input) => engine.invoke('add_memory', { ...input, user_id: 'ann' }, call),
    verbatim: false,
    timezone: 'UTC',
    counts: zeroCounts(),
    onStored: (turns) => void seen.stored.push(turns),
    onResult: ({ event }) => void seen.results.push(event),
    onRejected: (rejection) => void seen.rejected.push(rejection),
    ...more,
  };
  const memories = async () =>
    (await engine.invoke('get_memories', { user_id: 'ann' }, call)).results;
  return { store, seen, memories };
}

describe('a conversation', () => {
  it('is stored with its source and time, and counted', async () => {
    const { store, seen, memories } = await prepared();
    await storeConversation(store, conversation(['I have a dog called Rex.', 'Good night!']));

    expect(store.counts).toMatchObject({ turns: 2, added: 1, refused: 0 });
    expect(seen).toMatchObject({ stored: [2], rejected: [] });
    expect(seen.results).toContain('ADD');
    expect(await memories()).toEqual([
      expect.objectContaining({
        memory: 'User has a dog called Rex.',
        metadata: { source: 'claude', conversation: 'dogs', title: 'About dogs' },
        created_at: expect.stringMatching(/^2024-03-05T18:00:00/),
      }),
    ]);
  });

  it('goes on at the turn where an earlier import ended', async () => {
    const { store, seen, memories } = await prepared({ verbatim: true });
    await storeConversation(store, conversation(['I sail.', 'I paint.', 'I bake.']), 2);

    expect((await memories()).map(({ memory }) => memory)).toEqual(['I bake.']);
    expect(seen.stored).toEqual([3]);
  });

  it('is stored without the messages that may not be, which are named', async () => {
    const { store, seen, memories } = await prepared({ verbatim: true });
    const add = store.add;
    store.add = (input) => {
      const wrong = input.messages.findIndex(({ content }) => content === 'a key');
      if (wrong === -1) return add(input);
      const fields = { [`messages.${wrong}`]: ['holds an api_key'] };
      throw new ApiError('invalid', 'holds an api_key', { fields });
    };
    await storeConversation(store, conversation(['I sail.', 'a key', 'I bake.']));

    expect(seen.rejected).toEqual([
      { conversation: 'dogs', message: 2, problem: 'holds an api_key' },
    ]);
    expect(store.counts).toMatchObject({ turns: 2, added: 2, refused: 1 });
    expect((await memories()).map(({ memory }) => memory).sort()).toEqual(['I bake.', 'I sail.']);
  });

  it('is stored in halves where an add is too large as a whole', async () => {
    const { store, seen } = await prepared({ verbatim: true });
    const add = store.add;
    store.add = (input) => {
      if (input.messages.length > 1) throw new ApiError('too_large', 'too large');
      return add(input);
    };
    await storeConversation(store, conversation(['I sail.', 'I paint.', 'I bake.']));

    expect(store.counts).toMatchObject({ turns: 3, added: 3, refused: 0 });
    expect(seen.stored).toEqual([3]);
  });

  it('is not gone on with after any other error', async () => {
    const unreachable = new ApiError('unavailable', 'no connection');
    const { store, seen } = await prepared({ add: () => Promise.reject(unreachable) });

    await expect(storeConversation(store, conversation(['I sail.']))).rejects.toBe(unreachable);
    expect(seen.stored).toEqual([]);
  });
});
