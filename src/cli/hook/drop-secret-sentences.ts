import { mayHoldSecret } from '../../core/safety/secrets.ts';
import type { TranscriptTurn } from './transcript.ts';

/** Turns without sentences that may hold a password or a key: nobody reviews what a hook stores. */
export function dropSecretSentences(turns: readonly TranscriptTurn[]): TranscriptTurn[] {
  return turns
    .map((turn) => ({ ...turn, content: redactText(turn.content) }))
    .filter(({ content }) => content.trim() !== '');
}

function redactText(text: string): string {
  const sentences = text.replace(privateKey, '').split(/(?<=[.!?]\s)|(?<=\n)/);
  return sentences
    .filter(
      (sentence, index) => !mayHoldSecret(sentence) && !followsSecretLabel(sentences[index - 1]),
    )
    .join('');
}

/** "The password is:" followed by the password on its own line. */
function followsSecretLabel(before = ''): boolean {
  return /[:=]\s*$/.test(before) && mayHoldSecret(before);
}

/** A whole block; if its end is missing, everything after its start. */
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g;
