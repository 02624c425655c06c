import { limits } from '../../contract/limits.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { UnitOfWork } from '../history/record.ts';
import type { Instant, StoredMemory } from '../ports/index.ts';
import { contentHash } from './content-hash.ts';

/** A text that a review refused for good; erasing its memory or one of its owners erases it. */
type RefusedText = EntityIds & {
  memory_id: string;
  hash: string;
  /** Null if it is too long to be compared by its words. */
  memory: string | null;
  speaker: string;
};

/** Each add compares what it stores with all of them. */
const comparedMaxChars = 1_000;

/** Finds the memory whose review refused a text or the like; null if none did. */
export type FindRefused = (text: string, speaker: string | undefined) => string | null;

const kind = 'refused_text';

/** Keeps the project from storing the like of a memory; the oldest refusals give way. */
export async function refuseText(
  { tables, project }: UnitOfWork,
  { id, memory, speaker, user_id, agent_id, app_id, run_id }: StoredMemory,
  now: Instant,
): Promise<void> {
  const owners = { user_id, agent_id, app_id, run_id };
  const value: RefusedText = {
    ...owners,
    memory_id: id,
    hash: plainHash(memory),
    memory: memory.length <= comparedMaxChars ? memory : null,
    speaker: speaker ?? anyone,
  };
  await tables.documents.put(project, { kind, id, value, now });
  const all = await tables.documents.list<RefusedText>(project, kind);
  for (const { memory_id } of all.slice(limits.refused_texts_max)) {
    await tables.documents.delete(project, kind, memory_id);
  }
}

/** Takes a refusal back; false if there is none. */
export async function allowText(
  { tables, project }: UnitOfWork,
  memory_id: string,
): Promise<boolean> {
  if ((await tables.documents.find(project, kind, memory_id)) === null) return false;
  await tables.documents.delete(project, kind, memory_id);
  return true;
}

/**
 * What a project refuses to store: the same text in other case, spacing and punctuation, and texts
 * of the same words, or of fewer of them, as extraction compares them.
 */
export async function findRefusals({ tables, project }: UnitOfWork): Promise<FindRefused> {
  const refused = await tables.documents.list<RefusedText>(project, kind);
  if (refused.length === 0) return () => null;
  // Few projects refuse anything.
  const { compareSignatures, signatureOf } = await import('../extraction/text-similarity.ts');
  const entries = refused.map(({ memory_id, hash, memory, speaker }) => ({
    memory_id,
    hash,
    signature: memory === null ? null : signatureOf(memory, speaker),
  }));
  return (text, speaker = anyone) => {
    const hash = plainHash(text);
    const textSignature = text.length <= comparedMaxChars ? signatureOf(text, speaker) : null;
    const like = entries.find((one) => {
      if (one.hash === hash) return true;
      const repeats =
        textSignature && one.signature && compareSignatures(textSignature, one.signature);
      return repeats === 'same' || repeats === 'less';
    });
    return like?.memory_id ?? null;
  };
}

/** What extraction calls the speaker if messages name none. */
const anyone = 'User';

function plainHash(text: string): string {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return contentHash(words.length === 0 ? text : words.join(' '));
}
