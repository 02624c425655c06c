import { connect, mneme, type Program, serverMemory, type Tools } from './client.ts';
import type { Sentence } from './sentences.ts';

/** Whose memories the benchmarks of speed are. */
export const user_id = 'bench';

/** Memories that one request of a fill carries. */
const batch = 500;

/** Puts the sentences into the store in that folder, by the command of another checkout if given. */
export async function fillMneme(
  folder: string,
  sentences: readonly Sentence[],
  cli?: string,
): Promise<void> {
  await using(mneme(folder, [], cli), async (tools) => {
    for (const part of chunks(sentences, batch)) {
      const messages = part.map(({ text }) => ({ role: 'user', content: text }));
      await tools.call('add_memory', { messages, infer: false, user_id });
    }
  });
}

/** The same for the reference server, which groups observations under named entities. */
export async function fillServerMemory(
  folder: string,
  sentences: readonly Sentence[],
): Promise<void> {
  const groups = chunks(sentences, observationsPerEntity).map((part, index) => ({
    name: entityName(index),
    entityType: 'topic',
    observations: part.map(({ text }) => text),
  }));
  await using(serverMemory(folder), async (tools) => {
    for (const entities of chunks(groups, batch)) await tools.call('create_entities', { entities });
  });
}

const observationsPerEntity = 10;

export function entityName(index: number): string {
  return `topic-${index}`;
}

async function using(program: Program, work: (tools: Tools) => Promise<void>): Promise<void> {
  const tools = await connect(program);
  try {
    await work(tools);
  } finally {
    await tools.close();
  }
}

export function chunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
