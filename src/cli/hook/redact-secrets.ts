import type { TranscriptTurn } from './transcript.ts';

/**
 * Turns without the sentences that look as if they held a password or a key: nobody looks at what a
 * hook stores. A harmless sentence that goes with them is the lesser evil.
 */
export function redactTurns(turns: readonly TranscriptTurn[]): TranscriptTurn[] {
  return turns
    .map(({ role, content }) => ({ role, content: redactText(content) }))
    .filter(({ content }) => content.trim() !== '');
}

function redactText(text: string): string {
  const sentences = text.replace(privateKey, '').split(/(?<=[.!?]\s)|(?<=\n)/);
  return sentences
    .filter(
      (sentence, index) => !holdsSecret(sentence) && !followsSecretLabel(sentences[index - 1]),
    )
    .join('');
}

/** "The password is:", and then the password on a line of its own. */
function followsSecretLabel(before = ''): boolean {
  return /[:=]\s*$/.test(before) && holdsSecret(before);
}

/** A whole block; of one that was cut off, all that is left. */
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g;

function holdsSecret(sentence: string): boolean {
  return secretPatterns.some((secret) => secret.test(sentence));
}

/** What secrets are called, in the languages that most users write; the short ones are words. */
const secretNames = [
  ...['passw(?:or[dt]s?|d)', 'pass ?phrases?', 'secrets?', 'tokens?', 'credentials?'],
  ...['(?:api|access|private|signing|licen[cs]e)[ _-]?keys?', 'recovery codes?'],
  ...['kennwort', 'mot de passe', 'contrase[nñ]a', 'wachtwoord', 'пароль'],
  ...['(?<!\\p{L})(?:pin(?: code)?|pwd|senha)'],
].join('|');

const secretPatterns: readonly RegExp[] = [
  // As in "my password for the shop is ..." and "API_KEY=..."
  new RegExp(`(?:${secretNames})(?!\\p{L}).{0,60}?(?:[:=]| (?:is|are|ist|es|est|é) )`, 'iu'),
  // Keys that say by their first letters whose they are.
  /\b(?:sk|pk|rk|mk|m0|hf|npm|glpat|dop_v1|github_pat|gh[pousr]|xox[a-z])[-_][\w-]{10,}/,
  /\b(?:AKIA|ASIA|AIza|ya29\.|SG\.)[\w-]{12,}/,
  /(?<![\w-])(?=[\w-]{11,}\.[\w-])(?:[\w-]*?-)?eyJ[\w-]{8,}\./, // A signed token.
  /\b(?:bearer|basic|token) [\w.~+/=-]{16,}/i,
  /:\/\/[^\s/:@]*:[^\s/@]+@/, // An address with a password in it.
  // Long words that nobody would write: hexadecimal, or capitals, small letters and digits mixed.
  /\b(?=[a-f\d]*\d)[a-f\d]{32,}\b/i,
  /(?<![\w+=])(?=[\w+=]*\d)(?=[\w+=]*[a-z])(?=[\w+=]*[A-Z])[\w+=]{24,}/,
];
