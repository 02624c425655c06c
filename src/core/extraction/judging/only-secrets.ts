import { functionWords } from '../../language/function-words.ts';
import { foldWord, wordsOf } from '../../language/words.ts';
import { splitClauses } from './clauses.ts';

/**
 * Whether a text, of which secrets were taken out, says nothing else: "My AWS key is
 * [REDACTED:api_key]". Such a memory would help nobody.
 */
export function holdsOnlySecrets(text: string): boolean {
  if (text.length > textMaxChars || !holdsSecret(text)) return false;
  const sentences = text
    .split(/(?<=[.!?。！？\n])(?=\s|$)/u)
    .filter((one) => /[\p{L}\p{N}]/u.test(one));
  return sentences.flatMap(clausesOf).every(namesOnlySecret);
}

function holdsSecret(text: string): boolean {
  return text.includes(marker);
}

const marker = '[REDACTED:';
const placeholder = /\[REDACTED:[\w-]{1,40}\]/gu;

/** "Here is the key:" belongs to what follows it. */
function clausesOf(sentence: string): string[] {
  const clauses: string[] = [];
  let open = '';
  for (const clause of splitClauses(sentence)) {
    open += clause;
    if (/[:–—-]\s*$/u.test(clause)) continue;
    clauses.push(open);
    open = '';
  }
  return open === '' ? clauses : [...clauses, open];
}

function namesOnlySecret(clause: string): boolean {
  if (!holdsSecret(clause)) return false;
  const rest = clause.replace(placeholder, ' ');
  if (spaceless.test(rest)) return termsOf(rest).join('').length <= nameMaxChars;
  // "... since Monday" says more than what it is called.
  const after = clause.slice(clause.lastIndexOf(marker)).replace(placeholder, '');
  return termsOf(rest).length <= nameMaxWords && termsOf(after).length === 0;
}

function termsOf(text: string): string[] {
  return wordsOf(text).filter((word) => !functionWords.has(foldWord(word)));
}

const spaceless = /[\u3040-\u30ff\u3400-\u9fff]/u;

/** "GitHub deploy key" is a name of three words. */
const nameMaxWords = 4;
const nameMaxChars = 12;

/** A longer text says more than a secret. */
const textMaxChars = 500;
