import { forgetFeatures } from '../../classifier/forget-features.ts';
import { classify } from '../../classifier/linear-model.ts';
import type { ExtractionModels } from '../../ports/index.ts';
import type { ForgetRequest } from '../classify-sentences.ts';
import { allRules } from '../languages/all-languages.ts';
import type { AskingPatterns } from '../languages/forgetting-words.ts';

/**
 * Reads whether sentences ask to forget something, in the languages of the rules; without a model,
 * only the plainest do.
 */
export function createForgetReader(models: ExtractionModels | null) {
  return (sentence: string): ForgetRequest | null => {
    if (asksPlainly(sentence) || pointsBack(sentence))
      return isOne('sparing', sentence) ? 'perhaps forget' : 'forget';
    if (models === null || sentence.length > requestMaxChars || isOne('never', sentence))
      return null;
    const vector = models.embed(sentence);
    const shares = classify(models.forgetting, forgetFeatures(sentence), vector);
    const sureness = shares.get('forget') ?? 0;
    if (sureness < perhapsMin) return null;
    const isSure = sureness >= sureMin && !isOne('sparing', sentence);
    return isSure ? 'forget' : 'perhaps forget';
  };
}

/** Requests to forget are short; longer texts are not read as one. */
const requestMaxChars = 300;

/** See `tools/classifier/README.md`. */
const perhapsMin = 0.6;
const sureMin = 0.8;

/** Whether a sentence begins with words that ask for it, and do so in no other sense. */
export function asksPlainly(sentence: string): boolean {
  const isRequest =
    isOne('forget', sentence) || (isOne('delete', sentence) && isOne('remembered', sentence));
  return (isRequest && !isOne('never', sentence)) || notToKeep(sentence) !== null;
}

/** "I gave the drill back, you can forget that" asks not to keep what it says itself. */
export function pointsBack(sentence: string): boolean {
  return isOne('pointing', sentence.slice(-endChars)) && !isOne('never', sentence);
}

const endChars = 120;

/** What a sentence is about, without an end that only points at it. */
export function withoutPointing(sentence: string): string {
  const [head, end] = [sentence.slice(0, -endChars), sentence.slice(-endChars)];
  const at = allRules.map(({ forgetting }) => end.search(forgetting.asks.pointing));
  const [first] = at.filter((index) => index >= 0);
  return first === undefined ? sentence : head + end.slice(0, first);
}

/** Returns "my weight" for "I'd rather you didn't keep my weight"; null for other requests. */
export function notToKeep(sentence: string): string | null {
  if (sentence.length > requestMaxChars) return null;
  for (const { forgetting } of allRules) {
    const object = forgetting.asks.keepNot.exec(sentence)?.slice(1).find(Boolean);
    if (object !== undefined) return object;
  }
  return null;
}

function isOne(part: keyof AskingPatterns, sentence: string): boolean {
  return allRules.some(({ forgetting }) => forgetting.asks[part].test(sentence));
}
