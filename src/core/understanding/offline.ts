import type { DateReader, Understander } from '../ports.ts';
import { extract, type Statement } from './extract.ts';
import { type Dated, reconcile } from './reconcile.ts';
import { loadSegmenter } from './sentences.ts';

/** Understands conversations by rules, without a model. */
export function createOfflineUnderstander({ dates }: { dates: DateReader }): Understander {
  setImmediate(loadSegmenter); // What is asked already goes first.

  const date = async (statement: Statement, said_at: string): Promise<Dated> => {
    const { isDated, tense, language } = statement;
    const said = statement.said ?? statement.text;
    const occurred = isDated ? await dates(said, { said_at, tense, language }) : null;
    return { ...statement, occurred };
  };

  return {
    understand: async ({ messages, known, said_at }) => {
      const { statements, dropped } = extract(messages);
      const dated: Dated[] = [];
      for (const statement of statements) dated.push(await date(statement, said_at));
      const decisions = reconcile(dated, { known, said_at });
      return { decisions, by: 'rules', notice: null, cost: null, dropped };
    },
  };
}
