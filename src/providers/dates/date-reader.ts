import type { Chrono, ParsedResult } from 'chrono-node';
import type { DatePart, DateReader, ParsedDate } from '../../core/ports/extraction.ts';
import { createTurns } from '../../turns.ts';

/**
 * Reads dates with chrono, in UTC. Its rules for a language are loaded with the first sentence of
 * that language that looks dated.
 */
export function createDateReader(): DateReader {
  const loaded = new Map<string, Promise<ChronoParse>>();
  return async (text, { said_at, language }) => {
    const load = parserLoaders[language] ?? loadEnglish;
    const parsing = loaded.get(language) ?? load();
    loaded.set(language, parsing);
    return (await parsing)(text, { instant: new Date(said_at), timezone: 0 }).map(toParsedDate);
  };
}

type ChronoParse = (text: string, reference: { instant: Date; timezone: number }) => ParsedResult[];

/** A chrono of one language, and the class that it is of. */
type LoadedChrono = { casual: Chrono; Chrono: typeof Chrono };

/**
 * Each parser makes its patterns with the first text that it reads, some tens of milliseconds for
 * all of them: one after the other, so that others have their turn.
 */
async function warmUp({ casual, Chrono: OneParser }: LoadedChrono): Promise<ChronoParse> {
  const yieldTurn = createTurns();
  for (const parser of casual.parsers) {
    await yieldTurn();
    const reader = new OneParser({ parsers: [parser], refiners: [] });
    // Read once, a pattern is interpreted; the second time it is compiled, which takes long.
    for (const text of ['1', '2', '1 –']) reader.parse(text);
  }
  return (text, reference) => casual.parse(text, reference);
}

const loadEnglish = async () => warmUp(await import('chrono-node/en'));

const parserLoaders: Record<string, () => Promise<ChronoParse>> = {
  en: loadEnglish,
  de: async () => warmUp(await import('chrono-node/de')),
  fr: async () => warmUp(await import('chrono-node/fr')),
  es: async () => warmUp(await import('chrono-node/es')),
  it: async () => warmUp(await import('chrono-node/it')),
  pt: async () => warmUp(await import('chrono-node/pt')),
  ru: async () => warmUp(await import('chrono-node/ru')),
  ja: async () => warmUp(await import('chrono-node/ja')),
  zh: async () => warmUp(await import('chrono-node/zh')),
};

const dateParts: readonly DatePart[] = ['year', 'month', 'day', 'weekday', 'hour', 'minute'];

function toParsedDate({ text, index, start, end }: ParsedResult): ParsedDate {
  const values = dateParts.flatMap((part) => {
    const value = start.get(part);
    return value === null ? [] : [[part, value] as const];
  });
  return {
    text,
    index,
    isPeriod: Boolean(end),
    values: Object.fromEntries(values),
    certainParts: new Set(dateParts.filter((part) => start.isCertain(part))),
  };
}
