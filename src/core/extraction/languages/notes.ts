import { isFiniteVerb, splitEnglishFacts } from './en/facts.ts';

/** Each is compared with all that is said later; a memory of more is a list, such as of dates. */
const factsMax = 50;

/**
 * The facts of a memory, of which one can become untrue without the others: "User's nephew Bram is
 * 11 and plays ice hockey" says two, "User likes jazz and hiking" as well. At least one, and of
 * very many the first ones.
 */
export function factsOfNote(memory: string): string[] {
  const text = memory.replace(/(?<![\s.。])[\s.。]+$/u, '');
  const clauses = /\p{Script=Latin}/u.test(text) ? splitClausesOfNote(text) : splitSpaceless(text);
  if (clauses.length > 1) return clauses.slice(0, factsMax);
  return itemsOf(text) ?? [text];
}

/** How a note in a language names the user, and where its facts are joined. */
const conjunctions: readonly { user: RegExp; and: RegExp }[] = [
  {
    user: /^(?:(?:Der|Die) )?(?:Be)?[Nn]utzer(?:in)? |^Ich /u,
    and: / (?:und|aber) |, (?:und )?/gu,
  },
  { user: /^L['’]utilisat(?:eur|rice) |^Je /u, and: / (?:et|mais) |, (?:et )?/gu },
  { user: /^(?:El |La )?[Uu]suari[oa] |^Yo /u, and: / (?:y|e|pero) |, (?:y )?/gu },
  { user: /^L['’]utente |^Io /u, and: / (?:e|ed|ma) |, (?:e )?/gu },
  { user: /^[OA] [Uu]suári[oa] |^Eu /u, and: / (?:e|mas) |, (?:e )?/gu },
  {
    user: /^Пользователь(?:ница)? |^Я |^У пользователя /u,
    and: / (?:и|а|но) |, (?:и )?/gu,
  },
];

function splitClausesOfNote(text: string): string[] {
  const other = conjunctions.find(({ user }) => user.test(text));
  return other === undefined ? splitEnglishFacts(text) : splitAfterUser(text, other);
}

/** In the languages whose verbs are not known here, a part of two words or more is a fact. */
function splitAfterUser(text: string, { user, and }: { user: RegExp; and: RegExp }): string[] {
  const subject = user.exec(text)?.[0] ?? '';
  const parts = text
    .slice(subject.length)
    .split(and)
    .map((part) => part.trim());
  const isFact = (part: string, index: number) => index === 0 || part.split(' ').length > 1;
  return parts.length > 1 && parts.every(isFact) ? parts.map((part) => subject + part) : [text];
}

function splitSpaceless(text: string): string[] {
  if (/\p{Script=Cyrillic}/u.test(text)) return splitClausesOfCyrillic(text);
  const subject = /^(?:ユーザー(?:は|の)?|私は?|用[户戶]的?|我的?)/u.exec(text)?.[0] ?? '';
  const parts = text.slice(subject.length).split(/[、，；,]\s*/u);
  if (parts.length < 2 || parts.some((part) => [...part].length < 3)) return [text];
  return parts.map((part) => subject + part);
}

function splitClausesOfCyrillic(text: string): string[] {
  const found = conjunctions.find(({ user }) => user.test(text));
  return found === undefined ? [text] : splitAfterUser(text, found);
}

/** "User likes jazz and hiking": the two things at the end of a sentence; null without them. */
function itemsOf(text: string): string[] | null {
  const found = /^(?<head>.+?)(?<glue>,? and )(?<last>[^,]{2,40})$/u.exec(text)?.groups;
  const { head = '', last = '' } = found ?? {};
  const lastWords = last.split(' ');
  const [firstOfLast = ''] = lastWords;
  const isClause = lastWords.length > 1 && isFiniteVerb(firstOfLast) && !articles.has(firstOfLast);
  if (found === undefined || lastWords.length > 4 || isClause) return null;
  const words = head.split(' ');
  const from = startOfItem(words, lastWords);
  const start = words.slice(0, from).join(' ');
  const first = words.slice(from).join(' ').replace(/,$/u, '');
  if (from < 2 || first === '' || /,/.test(start)) return null;
  return [`${start} ${first}`, `${start} ${last}`];
}

/**
 * Where the item before "and" begins: at its article if the last one has an article too, otherwise
 * with one word, or two if the last one has two.
 */
function startOfItem(words: readonly string[], last: readonly string[]): number {
  const isArticle = (word: string) => articles.has(word.toLowerCase());
  const article = words.findLastIndex(isArticle);
  if (isArticle(last[0] ?? '') && article > 0) return article;
  const before = words.at(-2) ?? '';
  return words.length - (last.length === 2 && !isFiniteVerb(before) && before.length > 3 ? 2 : 1);
}

const articles = new Set('a an the no two three four his her their my'.split(' '));
