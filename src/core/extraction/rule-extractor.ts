import type { DateReader, ExtractionModels, Extractor, Occurrence } from '../ports/index.ts';
import type { DatedStatement } from './comparable-memories.ts';
import { createContradictionFinder } from './contradictions.ts';
import { type ExtractedStatement, extractStatements } from './extract-statements.ts';
import { reconcile } from './reconcile.ts';
import { findSeasonDate } from './season-dates.ts';
import { loadSegmenter } from './sentences.ts';

/** Extracts from conversations by rules, without a model. */
export function createRuleExtractor({
  dates,
  models = null,
}: {
  dates: DateReader;
  models?: ExtractionModels | null;
}): Extractor {
  setImmediate(loadSegmenter); // Pending requests come first.

  const date = async (statement: ExtractedStatement, said_at: string): Promise<DatedStatement> => {
    const { isDated, tense, language } = statement;
    const said = statement.said ?? statement.text;
    if (!isDated) return { ...statement, occurred: null };
    const occurred = await readDate(said, { said_at, tense, language });
    const isToCome = occurred !== null && occurred.at > said_at && occurred.granularity !== 'year';
    // "The dentist is on Friday" is a plan; a birthday comes every year.
    const isPlan = statement.type === 'fact' && statement.slot === null && !yearlyEvents.test(said);
    return { ...statement, ...(isToCome && isPlan && { type: 'plan' as const }), occurred };
  };

  type About = Parameters<DateReader>[1] & Pick<ExtractedStatement, 'language'>;
  const readDate = async (said: string, about: About): Promise<Occurrence | null> => {
    const { seasonOf, rest } = findSeasonDate(said, about);
    const date = await dates(rest, about);
    if (date !== null && date.granularity !== 'year') return date;
    // "In 2024 we spent the last summer there": the season is more exact than the year.
    const season = seasonOf(date === null ? null : new Date(date.at).getUTCFullYear());
    return season ?? date;
  };

  return {
    isQuick: true,
    extract: async ({ messages, known, said_at }) => {
      const { statements, dropped } = extractStatements(messages, models);
      const dated: DatedStatement[] = [];
      for (const statement of statements) dated.push(await date(statement, said_at));
      const finder = createContradictionFinder(models);
      const decisions = reconcile(dated, { known, said_at, finder });
      return { decisions, by: 'rules', notice: null, cost: null, dropped };
    },
  };
}

const yearlyEvents = new RegExp(
  'birthday|anniversary|geburtstag|anniversaire|cumpleaños|compleanno|aniversário|' +
    'день рождения|誕生日|生日',
  'iu',
);
