import { anySearchWord, searchWordsFor } from '../extraction/languages/search-words.ts';

/** In Dutch and Polish, too, for which there are no other rules. */
export const passwordWords = `${anySearchWord('passwords')}|wachtwoord|hasło`;

const passwordWord = new RegExp(passwordWords, 'giu');
/** "My password manager is Bitwarden" says none. */
const notAPassword = new RegExp(`^[ -](?:${anySearchWord('noPassword')})`, 'iu');

/** The text before a password. Each is tried, because " ist" begins with " is". */
const joints = [':| =|=| —| -', ...searchWordsFor('passwordIs')].map(
  (joint) => new RegExp(`(?:${joint}) ?["'“‘«]?`, 'iuy'),
);
/** Words between "password" and the joint, such as "for the router". */
const betweenMaxChars = 40;
const passwordMinChars = 4;
const run = /[^\s"'“”‘’«»]+/uy;
const closing = /["'”’».,;!?)]+/y;
const punctuation = '.,;!?)';

/**
 * Replaces what follows "password is" and its like, up to a space or a closing quote. As one
 * regular expression, this would read the rest of the text from each place where it may begin.
 */
export function replacePasswords(text: string, replace: (password: string) => string): string {
  const starts = findStarts(text);
  if (starts.size === 0) return text;
  const endOf = endsIn(text);
  const parts: string[] = [];
  let from = 0;
  for (const start of [...starts].sort((one, other) => one - other)) {
    const end = start < from ? null : endOf(start);
    if (end === null) continue;
    parts.push(text.slice(from, start), replace(text.slice(start, end)));
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** "Is four random words" and "is 12 characters long" tell how it is made. */
const description = new RegExp(
  `(?:\\d{1,3}|${anySearchWord('numbers')})[ -](?:\\p{L}{1,15} ){0,2}` +
    `(?:${anySearchWord('parts')})(?!\\p{L})`,
  'iuy',
);

/** The positions at which a password may begin. */
function findStarts(text: string): Set<number> {
  const starts = new Set<number>();
  for (const { index, 0: word } of text.matchAll(passwordWord)) {
    if (notAPassword.test(text.slice(index + word.length, index + word.length + 20))) continue;
    let at = index + word.length;
    for (let count = 0; count <= betweenMaxChars && at < text.length; count += 1) {
      for (const joint of joints) {
        const end = endOfMatch(joint, text, at);
        if (end !== null && endOfMatch(description, text, end) === null) starts.add(end);
      }
      if (text[at] === '.' || text[at] === '\n') break;
      at += String.fromCodePoint(text.codePointAt(at) ?? 0).length;
    }
  }
  return starts;
}

/**
 * The end of the password that begins at a place, without punctuation after it, or null. Places
 * must ascend: what was read for one is kept for the next ones.
 */
function endsIn(text: string): (start: number) => number | null {
  let last = { runEnd: 0, end: 0, isClosed: false };
  let closingEnd = 0;
  return (start) => {
    if (start >= last.runEnd) {
      const runEnd = endOfMatch(run, text, start) ?? start;
      if (runEnd > closingEnd) closingEnd = endOfMatch(closing, text, runEnd) ?? runEnd;
      let end = runEnd;
      while (end > start && punctuation.includes(text.charAt(end - 1))) end -= 1;
      const isClosed = closingEnd === text.length || /\s/.test(text.charAt(closingEnd));
      last = { runEnd, end, isClosed };
    }
    const shortest = [...text.slice(start, Math.min(last.runEnd, start + 2 * passwordMinChars))];
    if (!last.isClosed || shortest.length < passwordMinChars) return null;
    return Math.max(last.end, start + shortest.slice(0, passwordMinChars).join('').length);
  };
}

function endOfMatch(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
