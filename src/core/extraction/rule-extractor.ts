import { createTurns, runInTurns } from '../../turns.ts';
import type { DateReader, ExtractionModels, Extractor } from '../ports/index.ts';
import type { DatedStatement, EmbedText } from './contradictions.ts';
import { createTextDater, type TextDater } from './dates/text-dates.ts';
import { readValidity } from './dates/validity.ts';
import { extractInTurns } from './extract-statements.ts';
import { createForgetReader } from './forgetting/forget-requests.ts';
import { createForgetDecider } from './forgetting/forget-targets.ts';
import { createMemoryReader } from './known-memories.ts';
import { anyLanguage, rulesOf } from './languages/all-languages.ts';
import { longAddNotice, splitLongAdd } from './long-adds.ts';
import { reconcile } from './reconcile.ts';
import { loadSegmenter } from './sentences.ts';
import type { ExtractedStatement } from './statement.ts';
import { tellUnrecorded, withoutUnrecorded } from './unrecorded.ts';

type RuleReaders = { dates: DateReader; models?: ExtractionModels | null };

/** Extracts from conversations by rules, without a model. */
export function createRuleExtractor({ dates, models = null }: RuleReaders): Extractor {
  const readDate = createTextDater(dates);
  const readMemory = createMemoryReader();
  const readForgetting = createForgetReader(models);
  const asksToForget = (sentence: string) => readForgetting(sentence) === 'forget';
  setImmediate(loadSegmenter); // Pending requests come first.

  return {
    isQuick: true,
    extract: async ({ messages, known, said_at, local_time = said_at }) => {
      const { unrecorded, ...said } = await runInTurns(withoutUnrecorded(messages, asksToForget));
      const { read, rest: passages } = splitLongAdd(said.read);
      const { statements, dropped } = await extractInTurns(read, models);
      const dated: DatedStatement[] = [];
      const yieldTurn = createTurns();
      for (const statement of statements) {
        await yieldTurn();
        dated.push(await dateStatement(statement, local_time, readDate));
      }
      const embed = cached((text) => models?.embed(text) ?? null);
      const forget = createForgetDecider(embed);
      const decisions = await reconcile(dated, {
        memories: known,
        readMemory,
        said_at,
        embed,
        forget,
      });
      decisions.push(...passages);
      const notice = passages.length > 0 ? longAddNotice : null;
      const account = { by: 'rules', notice, cost: null, dropped } as const;
      if (unrecorded.length === 0) return { ...account, decisions };
      return { ...account, decisions: tellUnrecorded(decisions, unrecorded), open: said.open };
    },
  };
}

/** Each statement is compared with many memories, of which each is read once. */
function cached(embed: EmbedText): EmbedText {
  const vectors = new Map<string, ReturnType<EmbedText>>();
  return (text) => {
    const cached = vectors.get(text);
    if (cached !== undefined) return cached;
    const vector = embed(text);
    vectors.set(text, vector);
    return vector;
  };
}

async function dateStatement(
  statement: ExtractedStatement,
  said_at: string,
  readDate: TextDater,
): Promise<DatedStatement> {
  const { isDated, tense, language } = statement;
  const words = statement.said ?? statement.text;
  if (!isDated) return { ...statement, occurred: null };
  const about = { said_at, tense, language };
  const occurred = await readDate(words, about);
  const validity = await readValidity(words, { ...about, rules: rulesOf(language), readDate });
  const isOver = Boolean(validity?.valid_until && validity.valid_until <= said_at);
  const isToCome = occurred !== null && occurred.at > said_at && occurred.granularity !== 'year';
  // "The dentist is on Friday" is a plan; a birthday comes every year.
  const isPlan = statement.type === 'fact' && statement.slot === null && !yearlyEvents.test(words);
  return {
    ...statement,
    ...(isToCome && isPlan && { type: 'plan' as const }),
    ...(isOver && { slot: null }), // what is over leaves it to what is true
    ...(validity !== undefined && { validity }),
    occurred,
  };
}

const yearlyEvents = new RegExp(
  anyLanguage(({ calendar }) => calendar.anniversaries),
  'iu',
);
