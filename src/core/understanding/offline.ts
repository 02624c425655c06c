import type { DateReader, Understander } from '../ports.ts';
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
    const about = { said_at, tense, language };
    const { seasonOf, rest } = seasonIn(said, about);
    const date = await dates(rest, about);
    if (date !== null && date.granularity !== 'year') return { ...statement, occurred: date };
    // "In 2024 we spent the last summer there": the season says more than the year.
    const season = seasonOf(date === null ? null : new Date(date.at).getUTCFullYear());
    return { ...statement, occurred: season ?? date };
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
