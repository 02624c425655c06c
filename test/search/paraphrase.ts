import { readdirSync, readFileSync } from 'node:fs';

type Fact = { type: 'fact'; id: string; text: string };
type Question = { type: 'question'; id: string; text: string; answers: string[]; kind: string };

/** How a question fared: the place of its first answer from 0, and all scores with what is right. */
export type ParaphraseOutcome = {
  scope: string;
  kind: string;
  text: string;
  rank: number;
  hits: { score: number; isRight: boolean }[];
};

/** What the sets are asked of. */
export type AskedEngine = {
  add(input: { text: string; user_id: string }): Promise<string[]>;
  search(input: {
    query: string;
    user_id: string;
    threshold: number;
    top_k: number;
  }): Promise<{ hits: readonly { id: string; score: number }[] }>;
};

export const isEnglish = ({ scope }: Pick<ParaphraseOutcome, 'scope'>) => /^[pwc]\d$/.test(scope);

/** Stores the facts of each scope as those of a user, and asks its questions. */
export async function askParaphrases(
  engine: AskedEngine,
  set: 'development' | 'held-out',
): Promise<ParaphraseOutcome[]> {
  const folder = `test/search/paraphrase/${set}`;
  const outcomes: ParaphraseOutcome[] = [];
  for (const name of readdirSync(folder)) {
    const lines = readFileSync(`${folder}/${name}`, 'utf8').split('\n').filter(Boolean);
    const rows = lines.map((line) => JSON.parse(line) as Fact | Question);
    outcomes.push(...(await askScope(engine, name.replace('.jsonl', ''), rows)));
  }
  return outcomes;
}

async function askScope(
  engine: AskedEngine,
  scope: string,
  rows: readonly (Fact | Question)[],
): Promise<ParaphraseOutcome[]> {
  const facts = new Map<string, string>();
  for (const row of rows) {
    if (row.type !== 'fact') continue;
    const [id = ''] = await engine.add({ text: row.text, user_id: scope });
    facts.set(id, row.id);
  }
  const outcomes: ParaphraseOutcome[] = [];
  for (const row of rows) {
    if (row.type !== 'question') continue;
    const asked = { query: row.text, user_id: scope, threshold: 0, top_k: 60 };
    const hits = (await engine.search(asked)).hits.map(({ id, score }) => {
      return { score, isRight: row.answers.includes(facts.get(id) ?? '') };
    });
    const at = hits.findIndex(({ isRight }) => isRight);
    const rank = at === -1 ? Number.POSITIVE_INFINITY : at;
    outcomes.push({ scope, kind: row.kind, text: row.text, rank, hits });
  }
  return outcomes;
}

/** Percent of the questions of a kind whose first answer is among so many results. */
export function hitRate(
  outcomes: readonly ParaphraseOutcome[],
  { kind, within }: { kind: string; within: number },
): number {
  const asked = outcomes.filter((one) => one.kind === kind);
  const found = asked.filter(({ rank }) => rank < within);
  return asked.length === 0 ? Number.NaN : (100 * found.length) / asked.length;
}
