import type { TextCondition } from '../sql/text-condition.ts';
import { foldCase, isUnspacedScript, splitWords } from '../sql/text-folding.ts';
import type { SqliteDatabase } from './driver.ts';

/**
 * Functions for filters: SQLite itself knows the case of ASCII letters only. It calls them for each
 * row and condition, so the text of a row is folded once for all conditions that follow. A
 * condition is read once per statement, where `text_test` keeps it and names it by a number: to
 * pass two thousand letters for each row would take longer than to look for them.
 */
export function registerSqlFunctions(sqlite: SqliteDatabase): void {
  const options = { deterministic: true };
  const fold = memoizeLast(foldCase);
  sqlite.function('fold_case', options, (text) => (text === null ? null : fold(String(text))));
  const read = memoizeLast(foldText);
  const tests: TextTest[] = [];
  let last = 0;
  sqlite.function('text_test', options, (json) => {
    last = (last + 1) % keptTestsMax;
    tests[last] = compileCondition(JSON.parse(String(json)));
    return last;
  });
  sqlite.function('matches_text', options, (text, test) =>
    Number(tests[Number(test)]?.(read(String(text)))),
  );
}

/** More than the conditions of one statement. */
const keptTestsMax = 128;

type FoldedText = { text: string; folded: string; words(): ReadonlySet<string> };

function foldText(text: string): FoldedText {
  const folded = foldCase(text);
  let words: ReadonlySet<string> | null = null;
  return {
    text,
    folded,
    words: () => {
      words ??= new Set(splitWords(folded));
      return words;
    },
  };
}

type WantedWords = { folded: string; words: readonly { word: string; isPart: boolean }[] };

/** Values that depend only on the wanted words are computed once, not for each row. */
function readWords(values: readonly string[]): WantedWords[] {
  return values.map(foldCase).map((folded) => ({
    folded,
    words: splitWords(folded).map((word) => ({ word, isPart: isUnspacedScript(word) })),
  }));
}

/** A value without words, such as an emoji, is searched as a substring. */
function containsWords(text: FoldedText, { folded, words }: WantedWords): boolean {
  if (words.length === 0) return text.folded.includes(folded);
  const held = text.words();
  return words.every(
    ({ word, isPart }) => held.has(word) || (isPart && text.folded.includes(word)),
  );
}

type TextTest = (text: FoldedText) => boolean;

function compileCondition(condition: TextCondition): TextTest {
  if ('look' in condition) return compileComparison(condition);
  if ('all' in condition) {
    const tests = condition.all.map(compileCondition);
    return (text) => tests.every((test) => test(text));
  }
  const tests = ('any' in condition ? condition.any : condition.none).map(compileCondition);
  const isSought = 'any' in condition;
  return (text) => tests.some((test) => test(text)) === isSought;
}

function compileComparison({ look, values }: Extract<TextCondition, { look: string }>): TextTest {
  if (look === 'equals') return ({ text }) => values.includes(text);
  if (look === 'contains') return ({ text }) => values.some((value) => text.includes(value));
  if (look === 'words') {
    const words = readWords(values);
    return (text) => words.some((value) => containsWords(text, value));
  }
  const parts = values.map(foldCase);
  return ({ folded }) => parts.some((part) => folded.includes(part));
}

/** Conditions that follow each other look at the same text. */
function memoizeLast<T>(read: (text: string) => T): (text: string) => T {
  let last: { text: string; value: T } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) };
    return last.value;
  };
}
