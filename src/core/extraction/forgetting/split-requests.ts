import { functionWords } from '../../language/function-words.ts';
import { foldWord, wordsOf } from '../../language/words.ts';
import { clauseAsStatement, splitPieces } from '../judging/clauses.ts';
import { lacksSubject } from '../judging/references.ts';
import { type RuleLanguage, rulesOf } from '../languages/all-languages.ts';
import { asksPlainly, pointsBack } from './forget-requests.ts';
import { askNouns, askVerbs, politeWords } from './request-words.ts';

/**
 * A sentence with a request to forget as the request alone and what is said beside it. Of "I sold
 * the car, so please forget the Honda" both are left, of "forget the dentist, it's cancelled" the
 * request. What "..., you can forget that" points at is not to be kept and stays with it. It is
 * cut only where what follows is surely a sentence of its own.
 */
export function splitForgetRequest(sentence: string, languages: readonly RuleLanguage[]): string[] {
  if (pointsBack(sentence)) return [sentence];
  const pieces = splitPieces(sentence);
  if (pieces.length < 2 || pieces.length > piecesMax) return [sentence];
  const start = pieces.findIndex((piece) => asksPlainly(clauseAsStatement(piece)));
  if (start < 0) return [sentence];
  const before = pieces.slice(0, start).join('');
  if (isUnsure(before, languages)) return [sentence];
  const isEnd = (piece: string, at: number) =>
    at > start && isReason(piece, languages) && saysWhat(pieces.slice(start, at).join(''));
  const endIndex = pieces.findIndex(isEnd);
  const end = endIndex < 0 ? pieces.length : endIndex;
  if (start === 0 && end === pieces.length) return [sentence];
  const after = pieces.slice(end).join('');
  const request = clauseAsStatement(pieces.slice(start, end).join(''));
  const sentences = [clauseAsStatement(before), request];
  if (!refersBack(after, languages)) sentences.push(after);
  return sentences.filter(hasWords);
}

/** Nobody asks in more. */
const piecesMax = 8;

function isReason(piece: string, languages: readonly RuleLanguage[]): boolean {
  if (isUnsure(piece, languages)) return false;
  const isOwn = languages.some((one) => rulesOf(one).clauses.own.test(piece));
  if (!isOwn && !lacksSubject(piece, languages)) return false;
  // "Forget my friend, her name is Ana" tells which one.
  return !refersBack(piece, languages) || !/\S\s+\p{Lu}|\p{N}/u.test(piece);
}

function isUnsure(words: string, languages: readonly RuleLanguage[]): boolean {
  return languages.some((one) => rulesOf(one).clauses.unsure.test(words));
}

function refersBack(words: string, languages: readonly RuleLanguage[]): boolean {
  return languages.some((one) => rulesOf(one).clauses.reference.test(words));
}

/** "Forget this, I have a dog" says only in its second part what to forget. */
function saysWhat(request: string): boolean {
  const words = wordsOf(request).map(foldWord);
  const asking = [askVerbs, askNouns, politeWords];
  return words.some((one) => !functionWords.has(one) && asking.every((list) => !list.has(one)));
}

function hasWords(text: string): boolean {
  return /\p{L}/u.test(text);
}
