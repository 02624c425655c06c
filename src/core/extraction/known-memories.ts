import type { MemoryType } from '../../contract/schemas/memory.ts';
import type { RelatedMemory } from '../ports/index.ts';
import { detectRuleLanguages, rulesOf } from './languages/all-languages.ts';
import { memoryTypeOf } from './memory-type.ts';
import { certainSlotOf, type FilledSlot, listSlots } from './slots.ts';
import { defaultSpeaker } from './speakers.ts';
import { signatureOf, type TextSignature } from './text-similarity.ts';

/** A stored memory with what statements are compared with. */
export type ComparedMemory = RelatedMemory & Pick<MemoryReading, 'signature' | 'slots' | 'certain'>;

/** What the text of a memory says, by rules. */
type MemoryReading = {
  signature: TextSignature;
  type: MemoryType;
  /** The attributes that its facts are about. */
  slots: readonly FilledSlot[];
  /** If it says one thing: the attributes to which it gives a value, and whether it is dated. */
  certain: () => { slots: readonly string[]; isDated: boolean };
};

/**
 * Reads stored memories. A user's next add is compared with the same ones, and reading them takes
 * half of its time, so readings are kept for `kept_ms`. After that, the process holds nothing of a
 * memory that was erased.
 */
export function createMemoryReader(
  kept_ms = 5 * 60_000,
): (memory: RelatedMemory) => ComparedMemory {
  const readings = new Map<string, MemoryReading>();
  const clear = () => readings.clear();
  const readOnce = (text: string, speaker: string): MemoryReading => {
    if (text.length > keptMaxChars) return readMemory(text, speaker);
    const key = `${speaker}\n${text}`;
    const cached = readings.get(key);
    if (cached !== undefined) return cached;
    if (readings.size >= keptMax) clear();
    if (readings.size === 0) setTimeout(clear, kept_ms).unref();
    const reading = readMemory(text, speaker);
    readings.set(key, reading);
    return reading;
  };
  return (memory) => {
    const { signature, type, slots, certain } = readOnce(memory.memory, speakerOfMemory(memory));
    const slot = memory.slot ?? slots.find(({ ended }) => !ended)?.name ?? null;
    return { ...memory, type: memory.type ?? type, slot, signature, slots, certain };
  };
}

/** A reading takes about a kilobyte. */
const keptMax = 4000;
const keptMaxChars = 500;

function readMemory(text: string, speaker: string): MemoryReading {
  const languages = detectRuleLanguages(text);
  const [rules = rulesOf('en'), ...others] = languages.map(rulesOf);
  let certain: ReturnType<MemoryReading['certain']> | null = null;
  const readCertain = () => {
    const isDated = languages.some((language) => rulesOf(language).dated.test(text));
    const slots = languages.flatMap((language) => {
      return certainSlotOf({ text, language, speaker }, 'stored')?.name ?? [];
    });
    return { slots, isDated };
  };
  return {
    signature: signatureOf(text, speaker),
    type: memoryTypeOf(text, rules),
    slots: [rules, ...others].flatMap((one) => listSlots(text, { rules: one, speaker })),
    certain: () => {
      certain ??= readCertain();
      return certain;
    },
  };
}

/** The speaker whose statement a memory is. */
export function speakerOfMemory({
  role,
  speaker,
}: Pick<RelatedMemory, 'role' | 'speaker'>): string {
  return speaker === null || speaker === role ? defaultSpeaker : speaker;
}
