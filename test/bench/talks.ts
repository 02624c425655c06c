import type { Message } from '../../src/contract/schemas/message.ts';
import { loadCorpus } from '../extraction/corpus.ts';
import { addsOf, loadDataset } from './dataset.ts';

/** What one user says, in order. */
type Talk = { user_id: string; messages: Message[] };
export type Add = { user_id: string; messages: Message[] };

/** Adds of so many turns each, until there are enough turns; in each round for other users. */
export function addsOfSize(talks: readonly Talk[], size: number, enough: number): Add[] {
  const adds: Add[] = [];
  let count = 0;
  for (let round = 0; count < enough; round += 1) {
    for (const { user_id, messages } of talks) {
      for (let start = 0; start < messages.length && count < enough; start += size) {
        const part = messages.slice(start, start + size);
        adds.push({ user_id: `${user_id}-${round}`, messages: part });
        count += part.length;
      }
    }
  }
  return adds;
}

export function countTurns(adds: readonly Add[]): number {
  return adds.reduce((sum, { messages }) => sum + messages.length, 0);
}

/** Ten conversations make one talk, as long as people use a program in a day. */
export function corpusTalks(): Talk[] {
  const found: Talk[] = [];
  for (const [index, { adds }] of loadCorpus().entries()) {
    const messages = adds.flatMap((add) => add.messages);
    const talk = found.at(-1);
    if (talk === undefined || index % 10 === 0) found.push({ user_id: `user-${index}`, messages });
    else talk.messages.push(...messages);
  }
  return found;
}

export function talksOf(file: string): Talk[] {
  return loadDataset(file).conversations.map((conversation) => ({
    user_id: conversation.id,
    messages: conversation.turns
      .flatMap((turn) => addsOf(conversation, turn))
      .flatMap(({ messages }) => messages as Message[]),
  }));
}
