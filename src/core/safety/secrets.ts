import { type InTurns, runAtOnce } from '../../turns.ts';
import { functionWords } from '../language/function-words.ts';
import { foldWord } from '../language/words.ts';
import { cardPattern, isCardNumber, replaceIbans, ssnPattern } from './checked-numbers.ts';
import {
  isPlaceholder,
  keyShapes,
  secretAddresses,
  secretPlaces,
  secretRuns,
} from './key-shapes.ts';
import { passwordWords, replacePasswords } from './named-password.ts';

/** A regular expression, or a search that takes the place of one that would be slow. */
type Replaceable = RegExp | { [Symbol.replace]: typeof replacePasswords };

/** What a secret looks like; all of the match is taken out. */
type SecretPattern = {
  kind: string;
  pattern: Replaceable;
  isFalsePositive?: (match: string) => boolean;
};

/** Words after "my password is" that are not passwords. */
const notPasswords = new Set(
  (
    'not too very the that this a an wrong weak strong expired invalid incorrect safe secure on in ' +
    'same different always never still my your stored saved hard easy required reset changed ' +
    'trocada mudada alterada esquecida guardada cambiada olvidada guardada cambiata dimenticata ' +
    'salvata changé modifié oublié enregistré geändert vergessen gespeichert abgelaufen сменён забыт ' +
    'broken forgotten lost working being what how about kept hashed encrypted now also just gone ' +
    'nicht falsch sicher abgelaufen zu sehr pas trop incorrect perdu no muy incorrecta non troppo ' +
    'sbagliata não muito errada await string'
  ).split(' '),
);

/** Words for codes of digits that open a card or a second factor. */
const pinWords =
  '(?:alarm|door|gate|entry|lock|safe|garage) code|(?:alarm|tür|tor|tresor)-?code|' +
  "code (?:de l[’']alarme|du portail|de la porte|du coffre)|código de la (?:alarma|puerta)|" +
  "codice (?:dell[’']allarme|della porta)|código (?:do alarme|da porta)|" +
  'pin|cvc2?|(?:codice|código) pin|geheimzahl|(?:code|codice|código) (?:' +
  'de (?:(?:ma|la) )?carte(?: bleue| bancaire)?|della carta|de la tarjeta)|пин';
/** A number may follow these directly; "pin 1234" alone may be a pin of a board. */
const explicitPinWords =
  '(?:alarm|door|gate|entry|safe) code|(?:alarm|tür|tor|tresor)-?code|pin[ -]?(?:code|number|nummer)|code pin|пин-?код|暗証番号';
/** Words for codes instead of a password: a service gives several, and each works once. */
const recoveryCodeWords =
  '(?:recovery|backup|one[- ]time|2fa|mfa) (?:codes?|keys?)|wiederherstellungscodes?|' +
  'codes? de (?:récupération|secours)|códigos? de (?:recuperación|recuperação|respaldo)|' +
  'codic[ei] di (?:recupero|backup)|коды? восстановления|резервны[ей] коды?';
/** Words that join a number to the name right before it. */
const joiners =
  " is| are|['’]s| ist| sind| lautet| lauten| c['’]est| est| sont| es| son| è| sono| é| são|は|" +
  ' ?[:：=]| [—–-]';
const qualifier =
  '(?: (?:here|aquí|hier|ici|qui|тут)|' +
  " (?:de(?:l|lla)?|of|for|von|für|pour|от|для) [\\p{L}' ]{1,30}?)?";
/** More of them before it, each with a digit: "8f3a1-c90de, 77b2e-04fac and ...". */
const precedingCodes =
  '(?:(?=[\\w-]{0,40}\\d)[\\w-]{4,40}(?:[\\s,;]{1,3}|,? (?:and|und|et|y|e|и) )){0,20}';
const recoveryCode = '(?!\\d{4}-\\d\\d-)(?:[\\da-z]{3,8}(?:-[\\da-z]{3,8})+|\\d{6,12})(?![\\w-])';
const pin = '\\d{4,8}(?!\\d|-\\d)';
/** The joint may be lines above, before a list. */
const joiner = `(?:${joiners})\\s{0,3}`;
/** "My recovery codes, keep these:" has other words before the colon. */
const recoveryJoiner = `(?:${qualifier}${joiner}|(?:,? \\p{L}{1,12}){1,3}:\\s{1,3})`;
const loginSource = '\\b(?:user(?:name)?|login)[ :=]{1,3}[^\\s,]{2,40}';
const passSource = '(?:pass|pw)[ :=]{1,3}';
const secretNames =
  '(?:api|access|account|secret|private|auth|client|signing|encryption)[ _-]?(?:key|' +
  'token|secret)|secret|' +
  'token|pwd|passwd|password|passphrase|credentials?';

/** "Token: something that a model reads" tells what one is. */
const proseStart = "(?<=: )\\p{L}[\\p{L}'’-]{0,20} \\p{L}";

/**
 * The most exact first: what one has taken out is not looked at again. Where much may stand before
 * a secret, a look ahead comes first, so that only what looks like one is looked back from.
 */
const secretPatterns: readonly SecretPattern[] = [
  {
    kind: 'private_key',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g,
  },
  // The match includes the text before it in one run: each run is read once, from its start.
  {
    kind: 'token',
    pattern: /(?<![\w-])(?=[\w-]{11,}\.[\w-]{4})(?:[\w-]*?-)?eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g,
  },
  { kind: 'api_key', pattern: new RegExp(`(?<![\\w-])(?:${keyShapes})`, 'g') },
  { kind: 'token', pattern: new RegExp(`(?<![\\w.-])(?:${secretAddresses})`, 'gi') },
  ...secretRuns,
  ...secretPlaces.map(({ kind, before, secret }) => ({
    kind,
    pattern: new RegExp(`(?<=${before})${secret}`, 'gi'),
  })),
  // With a slash within, unless what stands before it is a port.
  {
    kind: 'password',
    pattern:
      /(?<=\b[a-z][a-z\d+.-]{1,30}:\/\/[^\s/:@]{0,100}:)(?:[^\s/@]+|(?!\d{1,5}\/)[^\s@"'<>]{1,100}(?<!\/))(?=@)/gi,
  },
  // A key instead of a user, as in addresses for Sentry and git.
  {
    kind: 'token',
    pattern: /(?<=\b[a-z][a-z\d+.-]{1,30}:\/\/)(?=[a-z]{0,60}\d)[a-z\d]{20,}(?=@)/gi,
  },
  { kind: 'token', pattern: /(?<=\b(?:bearer|basic) )[\w.~+/=-]{16,}/gi },
  {
    kind: 'password',
    pattern: { [Symbol.replace]: replacePasswords },
    isFalsePositive: (match) => {
      const word = match.toLowerCase();
      return notPasswords.has(word) || functionWords.has(foldWord(word));
    },
  },
  // "network Moose5G, password fjellrev-2041" and "auth token 0f29cc...": no word between them.
  {
    kind: 'password',
    pattern: /(?<=\bpass(?:word|phrase|code)s? )(?=[^\s,;]*\d)[^\s,;"']{6,}[^\s,;.!?"']/giu,
    isFalsePositive: (match) => !/\p{L}/u.test(match) || !looksSecret(match),
  },
  {
    kind: 'secret',
    pattern:
      /(?<=\b(?:key|token|secret)(?: value)?(?: is| was|:)? )(?=[\w~.+/=-]{0,60}\d)(?=[\w~.+/=-]{0,60}[a-z])[\w~.+/=-]{20,}/gi,
    isFalsePositive: (match) => /^[\p{L}_.-]+\d{0,4}$/u.test(match),
  },
  // "The password's length" is none: what follows must look like one.
  {
    kind: 'password',
    pattern:
      /(?<=pass ?(?:word|phrase|code)['’]s )[^\s"'“”‘’«»]{3,}[^\s"'“”‘’«».,;!?)](?=[.,;!?)]*(?:\s|$))/giu,
    isFalsePositive: (match) => !looksSecret(match),
  },
  {
    kind: 'password',
    pattern: /(?<=pass ?(?:word|phrase|code)['’]s ["'“‘«])[^\s"'“”‘’«»]{4,}?(?=["'”’»])/giu,
  },
  // Russian leaves out "is": a digit tells the password from other words of the sentence.
  { kind: 'password', pattern: /(?<=пароль(?: (?:от|для) \p{L}+)? )(?=\S*\d)[^\s.,;!?»]{4,}/giu },
  { kind: 'password', pattern: /(?<=パスワードは|密码(?:是|为|：|:)\s?)[\w!@#$%^&*.+-]{4,}/gu },
  {
    kind: 'secret',
    pattern: new RegExp(
      `(?<=\\b(?:\\w+_)?(?:${secretNames})["']?\\s?[:=]\\s?["']?)(?!${proseStart})[^\\s"',;]{8,}`,
      'giu',
    ),
    isFalsePositive: (match) => match.startsWith('[REDACTED'),
  },
  // "user ann pass Heron99": a digit tells the password after "pass" from other words.
  {
    kind: 'password',
    pattern: new RegExp(`(?<=${loginSource} ${passSource})(?=\\S*\\d)[^\\s,;]{5,}`, 'gi'),
  },
  // "Login flow, pass rate100": behind a comma it must look like more than a word with a number.
  {
    kind: 'password',
    pattern: new RegExp(`(?<=${loginSource}, ${passSource})[^\\s,;]{5,}`, 'gi'),
    isFalsePositive: (match) =>
      match.startsWith('[REDACTED') || !/\d/.test(match) || !looksRandom(match),
  },
  {
    kind: 'recovery_code',
    pattern: new RegExp(
      `(?<![\\w.-])(?=${recoveryCode})` +
        `(?<=(?<!\\p{L})(?:${recoveryCodeWords})${recoveryJoiner}${precedingCodes})${recoveryCode}`,
      'giu',
    ),
    // "windows-server-2022": of a code more than one part holds a digit.
    isFalsePositive: (match) =>
      match.includes('-') && match.split('-').filter((part) => /\d/.test(part)).length < 2,
  },
  {
    kind: 'pin',
    pattern: new RegExp(
      `(?=${pin})(?<=(?<!\\p{L})(?:(?:${explicitPinWords}|${pinWords})${qualifier}${joiner}|(?:${explicitPinWords}) ?|` +
        `(?:my|meine?|mon|mio|mi|meu|мой) (?:pin|пин) ))${pin}`,
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
  { kind: 'card', pattern: cardPattern, isFalsePositive: (match) => !isCardNumber(match) },
  { kind: 'iban', pattern: { [Symbol.replace]: replaceIbans } },
  { kind: 'ssn', pattern: ssnPattern },
];

/** Text with every secret that is known by its shape replaced, and what kinds there were. */
export function redactSecrets(text: string): { text: string; kinds: string[] } {
  return runAtOnce(redactInTurns(text));
}

/** The same, pattern by pattern: each of them reads all of the text. */
export function* redactInTurns(text: string): InTurns<{ text: string; kinds: string[] }> {
  const redaction = yield* redact(text);
  const narrow = redaction.text.replace(fullWidthRun, (run) => run.normalize('NFKC'));
  if (narrow === redaction.text) return redaction;
  const again = yield* redact(narrow);
  // A text without a secret stays as it was written.
  if (again.kinds.length === 0) return redaction;
  return { text: again.text, kinds: [...new Set([...redaction.kinds, ...again.kinds])] };
}

/** Letters and digits of East Asian keyboards, and the signs among them. */
const fullWidthRun = /[０-９Ａ-Ｚａ-ｚ][！-～\u3000]*/gu;

function* redact(text: string): InTurns<{ text: string; kinds: string[] }> {
  const kinds = new Set<string>();
  let open = text;
  for (const { kind, pattern, isFalsePositive } of secretPatterns) {
    open = open.replace(pattern, (match) => {
      if (isPlaceholder(match) || isFalsePositive?.(match)) return match;
      kinds.add(kind);
      return `[REDACTED:${kind}]`;
    });
    yield;
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

/** Whether it cannot be a word of a sentence, as "SHA256", "2048-bit" and "long-lived" can. */
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
