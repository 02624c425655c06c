import { baseForms, pastForms } from './verbs.ts';

/** Words that begin a clause with a subject of its own. */
const ownSubject =
  /^(?:(?:then|also|now|and|but|so|because|since) )*(?:I|i|im|ive|we|my|our|there|everyone|nobody|someone)(?:['’]\p{L}+)?(?= )/u;
const personPronoun =
  /^(?:he|she|it|they|his|her|their|its|that|this|these|those|which|who)(?!\p{L})/iu;

const auxiliaries = new Set(
  (
    "is are am was were has have had does do did can can't cannot could will would should must may " +
    "might doesn't don't didn't isn't aren't wasn't won't wouldn't hasn't haven't never no"
  ).split(' '),
);
const adverbs = new Set(
  'also always never usually often sometimes really just still now then only no longer mostly'.split(
    ' ',
  ),
);

/** Whether a word is a verb as it follows a subject: "works", "have", "moved", "isn't". */
export function isFiniteVerb(word: string): boolean {
  const verb = word.toLowerCase().replaceAll('’', "'");
  if (auxiliaries.has(verb) || baseForms.has(verb) || pastForms.has(verb)) return true;
  if (/[^e]ed$/.test(verb) && verb.length > 4) return true;
  const base = [verb.replace(/s$/, ''), verb.replace(/es$/, ''), verb.replace(/ies$/, 'y')];
  return verb.endsWith('s') && base.some((one) => one !== verb && baseForms.has(one));
}

/** The words before the first verb: "User's husband Vikram" of "User's husband Vikram cooks". */
export function subjectOf(clause: string): string | null {
  const words = clause.split(' ');
  const short = /^(?:I|i)['’](?:m|ve|d|ll)$/.exec(words[0] ?? '');
  if (short !== null) return 'I';
  for (let at = 1; at < Math.min(words.length, 6); at += 1) {
    const word = words[at] ?? '';
    if (isFiniteVerb(word) && !adverbs.has(word)) {
      let end = at;
      while (end > 1 && adverbs.has((words[end - 1] ?? '').toLowerCase())) end -= 1;
      return words.slice(0, end).join(' ');
    }
  }
  return null;
}

/**
 * Splits a statement into facts that stand alone: "I live in Porto and work as a nurse" says two.
 * A part without a subject takes that of the first; a part about "he" or "it" stays with what it
 * refers to, and so does one that is not a clause.
 */
export function splitEnglishFacts(text: string): string[] {
  let subject = subjectOf(text);
  const facts: string[] = [];
  let start = 0;
  let prefix = '';
  for (const match of text.matchAll(joint)) {
    const at = match.index + match[0].length;
    const part = text.slice(at, at + partMaxChars);
    // "has a boyfriend who lives here and pays nothing": it may be either of them.
    const isAmbiguous = relative.test(text.slice(start, match.index));
    const next = startOfFact(part, isAmbiguous ? null : subject);
    // "Yuki and I broke up": a name alone is not a fact.
    if (next !== null && hasVerb(prefix + text.slice(start, match.index))) {
      facts.push(prefix + text.slice(start, match.index));
      start = at;
      prefix = next;
      if (next === '') subject = subjectOf(part);
    } else if (subjectOf(part) !== null) {
      // Whoever this is about, what follows may be about them too.
      subject = null;
    }
  }
  return [...facts, prefix + text.slice(start)].map((fact) =>
    fact.replace(/(?<![\s,;])[\s,;]+$/u, ''),
  );
}

const relative = / (?:who|which|that|where) /u;

/** Where one fact may end and another begin. */
const joint = /(?:, (?:and |but |plus )?|; | (?:and|but|plus) )(?:also )?(?=\p{L})/gu;

function hasVerb(fact: string): boolean {
  return (
    fact
      .split(/[\s,]+/u)
      .slice(1)
      .some(isFiniteVerb) || /['’](?:s|m|re|ve|ll|d)(?!\p{L})/u.test(fact)
  );
}

/** Enough of a part to see how it begins. */
const partMaxChars = 80;

/** What a part lacks to be a fact of its own: nothing, or its subject; null if it is not a fact. */
function startOfFact(part: string, subject: string | null): string | null {
  if (personPronoun.test(part)) return null;
  const words = part.split(/[\s,;.]+/u).filter((word) => word !== '');
  if (words.length < 2) return null;
  if (ownSubject.test(part)) return '';
  const at = words.findIndex((word) => !adverbs.has(word.toLowerCase()));
  const verb = (words[at] ?? '').toLowerCase();
  const isBeforeObject = verb.endsWith('s') && objectStarts.has(words[at + 1]?.toLowerCase() ?? '');
  const follows =
    subject !== null && (agrees(verb, subject) || (isBeforeObject && !isFirst(subject)));
  if (follows && at >= 0 && at <= 2) return `${subject} `;
  const isNamed = /^\p{Lu}\p{Ll}/u.test(part) && isFiniteVerb(words[1] ?? '');
  const isOwn = isNamed || words.slice(1, 4).some((word) => copulas.has(word.toLowerCase()));
  return isOwn && words.length > 2 ? '' : null;
}

/** "heats with oil": a word before one of these is a verb, even if it is not in the list. */
const objectStarts = new Set(
  'with in at on to for from the a an his her their by about as up out no only'.split(' '),
);

const copulas = new Set('is are was were has have'.split(' '));

/** Whether a verb may follow a subject: "work" follows "I", "works" follows "User". */
function agrees(verb: string, subject: string): boolean {
  if (!isFiniteVerb(verb)) return false;
  if (
    pastForms.has(verb) ||
    /ed$/.test(verb) ||
    /^(?:was|had|can|can't|could|will|must|did)/.test(verb)
  )
    return true;
  const isThird = verb.endsWith('s') || /^(?:doesn't|isn't|hasn't)$/.test(verb);
  return isFirst(subject) ? !isThird : isThird;
}

function isFirst(subject: string): boolean {
  return /^(?:I|we)$/i.test(subject);
}
