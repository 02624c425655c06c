import type { DateReader, Occurrence, Understander } from '../ports.ts';
import { extract, type Statement } from './extract.ts';
import { type Dated, reconcile } from './reconcile.ts';
import { seasonIn } from './season.ts';
import { loadSegmenter } from './sentences.ts';

/** Understands conversations by rules, without a model. */
export function createOfflineUnderstander({ dates }: { dates: DateReader }): Understander {
  setImmediate(loadSegmenter); // What is asked already goes first.

  const date = async (statement: Statement, said_at: string): Promise<Dated> => {
    const { isDated, tense, language } = statement;
    const said = statement.said ?? statement.text;
    if (!isDated) return { ...statement, occurred: null };
    const occurred = await readDate(said, { said_at, tense, language });
    const isToCome = occurred !== null && occurred.at > said_at && occurred.granularity !== 'year';
    // "The dentist is on Friday" states what is planned; a birthday comes every year.
    const isPlan = statement.type === 'fact' && statement.slot === null && !yearly.test(said);
    return { ...statement, ...(isToCome && isPlan && { type: 'plan' as const }), occurred };
  };

  type About = Parameters<DateReader>[1] & Pick<Statement, 'language'>;
  const readDate = async (said: string, about: About): Promise<Occurrence | null> => {
    const { seasonOf, rest } = seasonIn(said, about);
    const date = await dates(rest, about);
    if (date !== null && date.granularity !== 'year') return date;
    // "In 2024 we spent the last summer there": the season says more than the year.
    const season = seasonOf(date === null ? null : new Date(date.at).getUTCFullYear());
    return season ?? date;
  };

  return {
    isQuick: true,
    understand: async ({ messages, known, said_at }) => {
      const { statements, dropped } = extract(messages);
      const dated: Dated[] = [];
      for (const statement of statements) dated.push(await date(statement, said_at));
      const decisions = reconcile(dated, { known, said_at });
      return { decisions, by: 'rules', notice: null, cost: null, dropped };
    },
  };
}

const yearly = new RegExp(
  'birthday|anniversary|geburtstag|anniversaire|cumpleaños|compleanno|aniversário|' +
    'день рождения|誕生日|生日',
  'iu',
);
