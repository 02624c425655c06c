import { passwordWords, replacePasswords } from './named-password.ts';

/** A regular expression, or a search that takes the place of one that would be slow. */
type Replaceable = RegExp | { [Symbol.replace]: typeof replacePasswords };

/** What a secret looks like; all of the match is taken out. */
type SecretPattern = {
  kind: string;
  pattern: Replaceable;
  isFalsePositive?: (found: string) => boolean;
};

/** Words that follow "my password is" and are no password. */
const notPasswords = new Set(
  (
    'not too very the that this a an wrong weak strong expired invalid incorrect safe secure on in ' +
    'same different always never still my your stored saved hard easy required reset changed ' +
    'broken forgotten lost working being what how about kept hashed encrypted now also just gone ' +
    'nicht falsch sicher abgelaufen zu sehr pas trop incorrect perdu no muy incorrecta non troppo ' +
    'sbagliata não muito errada'
  ).split(' '),
);

const apiKeySource = [
  'sk-(?:proj-|ant-|or-|svcacct-)?[A-Za-z0-9_-]{16,}',
  '(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}',
  'gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}|glpat-[\\w-]{16,}',
  'xox[abeprs]-[\\w-]{10,}|xapp-[\\w-]{10,}',
  '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}|AIza[\\w-]{30,}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[\\w-]{40,}|hf_[A-Za-z0-9]{20,}',
  'do[op]_v1_[a-f0-9]{40,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|sq0[a-z]{3}-[\\w-]{20,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{50,}|(?<!\\d)\\d{8,10}:AA[\\w-]{32,}|key-[a-f0-9]{32}',
  '(?:m0|mk|mneme)[-_][A-Za-z0-9_-]{20,}|r8_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{30,}',
  'dckr_pat_[\\w-]{20,}|lin_api_\\w{30,}|sntrys_[\\w=+/-]{30,}|EAA[A-Za-z0-9]{60,}',
].join('|');

/** What opens a card or a second factor, and is digits only. */
const pinWords =
  'pin|cvc2?|(?:codice|código) pin|geheimzahl|(?:code|codice|código) (?:' +
  'de (?:(?:ma|la) )?carte(?: bleue| bancaire)?|della carta|de la tarjeta)|пин';
/** Those right behind which a number may stand: "pin 1234" is also one of a board. */
const explicitPinWords = 'pin[ -]?(?:code|number|nummer)|code pin|пин-?код|暗証番号';
/** What stands in for a password: codes of which a service gives several, and each works once. */
const recoveryCodeWords =
  '(?:recovery|backup|one[- ]time|2fa|mfa) (?:codes?|keys?)|wiederherstellungscodes?|' +
  'codes? de (?:récupération|secours)|códigos? de (?:recuperación|recuperação|respaldo)|' +
  'codic[ei] di (?:recupero|backup)|коды? восстановления|резервны[ей] коды?';
/** What says that a number is what was named right before. */
const joiners =
  " is| are|['’]s| ist| sind| lautet| lauten| c['’]est| est| sont| es| son| è| sono| é| são|は|" +
  ' ?[:：=]| [—–-]';
const qualifier =
  '(?: (?:here|aquí|hier|ici|qui|тут)|' +
  " (?:de(?:l|lla)?|of|for|von|für|pour|от|для) [\\p{L}' ]{1,30}?)?";
/** More of them before it, each with a digit: "8f3a1-c90de, 77b2e-04fac and ...". */
const precedingCodes =
  '(?:(?=[\\w-]{0,40}\\d)[\\w-]{4,40}(?:[\\s,;]{1,3}|,? (?:and|und|et|y|e|и) )){0,20}';
/** The joint may be lines above, before a list. */
const joiner = `(?:${joiners})\\s{0,3}`;
const loginSource = '\\b(?:user(?:name)?|login)[ :=]{1,3}[^\\s,]{2,40}';
const passSource = '(?:pass|pw)[ :=]{1,3}';
const secretNames =
  '(?:api|access|secret|private|auth|client|signing|encryption)[ _-]?(?:key|' +
  'token|secret)|secret|' +
  'token|pwd|passwd|password|passphrase|credentials?';

/** The most exact first: what one has taken out is not looked at again. */
const secretPatterns: readonly SecretPattern[] = [
  {
    kind: 'private_key',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g,
  },
  // What stands before it in one run goes along: each run is looked through once, from its start.
  {
    kind: 'token',
    pattern: /(?<![\w-])(?=[\w-]{11,}\.[\w-]{4})(?:[\w-]*?-)?eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g,
  },
  { kind: 'api_key', pattern: new RegExp(`(?<![\\w-])(?:${apiKeySource})`, 'g') },
  { kind: 'password', pattern: /(?<=\b[a-z][a-z\d+.-]{1,30}:\/\/[^\s/:@]{0,100}:)[^\s/@]+(?=@)/gi },
  { kind: 'token', pattern: /(?<=\b(?:bearer|basic) )[\w.~+/=-]{16,}/gi },
  {
    kind: 'password',
    pattern: { [Symbol.replace]: replacePasswords },
    isFalsePositive: (found) => notPasswords.has(found.toLowerCase()),
  },
  // "The password's length" is none: what follows must look like one.
  {
    kind: 'password',
    pattern:
      /(?<=pass ?(?:word|phrase|code)['’]s )[^\s"'“”‘’«»]{3,}[^\s"'“”‘’«».,;!?)](?=[.,;!?)]*(?:\s|$))/giu,
    isFalsePositive: (found) => !looksSecret(found),
  },
  {
    kind: 'password',
    pattern: /(?<=pass ?(?:word|phrase|code)['’]s ["'“‘«])[^\s"'“”‘’«»]{4,}?(?=["'”’»])/giu,
  },
  // Russian says neither "is" nor "are": what holds a digit is no other word of the sentence.
  { kind: 'password', pattern: /(?<=пароль(?: (?:от|для) \p{L}+)? )(?=\S*\d)[^\s.,;!?»]{4,}/giu },
  { kind: 'password', pattern: /(?<=パスワードは|密码(?:是|为|：|:)\s?)[\w!@#$%^&*.+-]{4,}/gu },
  {
    kind: 'secret',
    pattern: new RegExp(
      `(?<=\\b(?:\\w+_)?(?:${secretNames})["']?\\s?[:=]\\s?["']?)[^\\s"',;]{8,}`,
      'gi',
    ),
    isFalsePositive: (found) => found.startsWith('[REDACTED'),
  },
  // "user ann pass Heron99": what stands behind "pass" there is no word, for it holds a digit.
  {
    kind: 'password',
    pattern: new RegExp(`(?<=${loginSource} ${passSource})(?=\\S*\\d)[^\\s,;]{5,}`, 'gi'),
  },
  // "Login flow, pass rate100": behind a comma it must look like more than a word with a number.
  {
    kind: 'password',
    pattern: new RegExp(`(?<=${loginSource}, ${passSource})[^\\s,;]{5,}`, 'gi'),
    isFalsePositive: (found) =>
      found.startsWith('[REDACTED') || !/\d/.test(found) || !looksRandom(found),
  },
  {
    kind: 'recovery_code',
    pattern: new RegExp(
      `(?<![\\w.-])(?<=(?<!\\p{L})(?:${recoveryCodeWords})${qualifier}${joiner}${precedingCodes})` +
        '(?!\\d{4}-\\d\\d-)(?:[\\da-z]{3,8}(?:-[\\da-z]{3,8})+|\\d{6,12})(?![\\w-])',
      'giu',
    ),
    // "windows-server-2022": of a code more than one part holds a digit.
    isFalsePositive: (found) =>
      found.includes('-') && found.split('-').filter((part) => /\d/.test(part)).length < 2,
  },
  {
    kind: 'pin',
    pattern: new RegExp(
      `(?<=(?<!\\p{L})(?:(?:${explicitPinWords}|${pinWords})${qualifier}${joiner}|(?:${explicitPinWords}) ?|` +
        '(?:my|meine?|mon|mio|mi|meu|мой) (?:pin|пин) ))\\d{4,8}(?!\\d|-\\d)',
      'giu',
    ),
  },
  {
    kind: 'pin',
    pattern: new RegExp(
      `(?<=(?<!\\p{L})(?:cvv2?(?:${joiner}| ?)|cvc2?${joiner}))\\d{3,4}(?!\\d)`,
      'giu',
    ),
  },
  {
    kind: 'card',
    pattern: new RegExp(
      '(?<![\\d.-])[2-6]\\d{3}(?:[ -]?\\d{4}){2}[ -]?\\d{1,7}(?![\\d-])|' +
        '(?<!\\d)3[47]\\d{2}[ -]?\\d{6}[ -]?\\d{5}(?!\\d)',
      'g',
    ),
    isFalsePositive: (found) => !isCardNumber(found.replace(/\D/g, '')),
  },
];

/** Text with every secret that is known by its shape replaced, and what kinds there were. */
export function redactSecrets(text: string): { text: string; kinds: string[] } {
  const kinds = new Set<string>();
  let open = text;
  for (const { kind, pattern, isFalsePositive } of secretPatterns) {
    open = open.replace(pattern, (found) => {
      if (isFalsePositive?.(found)) return found;
      kinds.add(kind);
      return `[REDACTED:${kind}]`;
    });
  }
  return { text: open, kinds: [...kinds] };
}

/**
 * Whether a sentence may hold a secret: one of a known shape, one that is named, or a word that
 * nobody would write by hand. Stricter than {@link redactSecrets}: for text that no person looks at
 * before it is stored, where a harmless sentence that is dropped is the lesser evil.
 */
export function mayHoldSecret(sentence: string): boolean {
  return (
    suspectPatterns.some((pattern) => pattern.test(sentence)) ||
    redactSecrets(sentence).kinds.length > 0
  );
}

const suspectPatterns: readonly RegExp[] = [
  // As in "my password for the shop is ..." and "API_KEY=...".
  new RegExp(
    `(?:passw(?:or[dt]s?|d)|${passwordWords}|${secretNames}|secrets|tokens|licen[cs]e[ _-]?keys?|` +
      `contrase[nñ]a|(?<!\\p{L})(?:${explicitPinWords}|pin)|${recoveryCodeWords})` +
      '(?!\\p{L}).{0,60}?(?:[:=]| (?:is|are|ist|es|est|é) )',
    'iu',
  ),
  /\b(?:sk|pk|rk|mk|m0|hf|npm|glpat|dop_v1|github_pat|gh[pousr]|xox[a-z])[-_][\w-]{10,}/,
  /\b(?:bearer|basic|token) [\w.~+/=-]{16,}/i,
  // Hexadecimal, or capitals, small letters and digits mixed.
  /\b(?=[a-f\d]*\d)[a-f\d]{32,}\b/i,
  /(?<![\w+=])(?=[\w+=]*\d)(?=[\w+=]*[a-z])(?=[\w+=]*[A-Z])[\w+=]{24,}/,
];

/** Letters of both cases in one part, or a mark that words do not have within. */
function looksRandom(text: string): boolean {
  return /\p{Ll}\S{0,40}\p{Lu}|\p{Lu}\S{0,40}\d|[#$@&^~|<>+={}\\]|[!?][\p{L}\p{N}]/u.test(text);
}

/** What is no word of a sentence: "SHA256", "2048-bit" and "long-lived" are. */
function looksSecret(text: string): boolean {
  if (ordinaryWords.test(text)) return false;
  return /\d/.test(text) || looksRandom(text) || /\p{L}-\p{L}/u.test(text);
}

const ordinaryWords = new RegExp(
  '^(?:\\d+-\\p{L}+|(?:19|20)\\d\\d|(?:sha|md|utf|aes|argon|base|scrypt)-?\\d\\S*|' +
    '(?:non|well|case|self|hard|auto|pre|re|un|long|short|one|two|over|all|multi|out|built|read|' +
    'write|too|so|plain|same)-\\S+|\\S+-(?:\\p{L}*(?:ed|ing|en|ive|able|ible)|ory|only|' +
    'time|based|free|less|long|safe|proof|in|up|out|wide|size|like|word|term))$',
  'iu',
);

/** The check digit of Luhn. */
function isCardNumber(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
