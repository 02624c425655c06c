import type { LoadedConfig } from '../../config/load-config.ts';
import { ApiError } from '../../contract/errors.ts';
import { saidTogether, timestampOf } from '../../conversations/said-together.ts';
import { withScopedInvoke } from '../context/scoped-invoke.ts';
import { keepProjectKey } from './detect-project.ts';
import { dropSecretSentences } from './drop-secret-sentences.ts';
import { durableTurns } from './durable-sentences.ts';
import type { HookEvent } from './hook-event.ts';
import { readTurns, type TranscriptTurn } from './transcript.ts';
import { advanceTranscript, hooksFolder } from './transcript-progress.ts';

/** Used by servers that extract facts with a language model. */
const captureInstructions =
  'Keep what will matter in later conversations: preferences, facts about people and projects, ' +
  'decisions with their reasons, corrections. Leave out the steps of the work at hand, code, ' +
  'commands, secrets, and what can be read in the repository.';

/** Stores what was said in a conversation since the last time. */
export async function captureConversation(loaded: LoadedConfig, event: HookEvent): Promise<void> {
  const { transcript_path: transcript } = event;
  const { data_dir } = loaded.values;
  if (!isCaptureEnabled(loaded)) return;
  if (!transcript) throw new ApiError('invalid', 'transcript_path is missing');
  await advanceTranscript({ folder: hooksFolder(data_dir), transcript }, async (from) => {
    const { turns, next } = await readTurns(transcript, from);
    const open = dropSecretSentences(turns);
    const messages = loaded.values.capture === 'told' ? durableTurns(open) : open;
    const cwd = event.cwd || process.cwd();
    if (messages.some(({ role }) => role === 'user')) await storeTurns(loaded, messages, cwd);
    return next;
  });
}

export function isCaptureEnabled({ values }: LoadedConfig): boolean {
  return values.capture !== 'off' && !values.read_only;
}

async function storeTurns(
  loaded: LoadedConfig,
  turns: readonly TranscriptTurn[],
  cwd: string,
): Promise<void> {
  const metadata = { project: await keepProjectKey(cwd), source: 'hook' };
  const input = { infer: true, metadata, custom_instructions: captureInstructions };
  await withScopedInvoke(loaded, async (call) => {
    for (const part of splitByTime(turns, loaded.values.timezone)) {
      const messages = part.map(({ role, content }) => ({ role, content }));
      const time = timestampOf(part[0]?.at ?? null);
      const add = { ...input, ...time, messages, async_mode: false };
      const { status, message } = await call('add_memory', add);
      if (status === 'FAILED') throw new ApiError('unavailable', message);
    }
  });
}

/** The turns of each add that has one of the user. */
function splitByTime(turns: readonly TranscriptTurn[], timezone: string): TranscriptTurn[][] {
  const groups: TranscriptTurn[][] = [];
  for (const turn of turns) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group && first && saidTogether(first.at, turn.at, timezone)) group.push(turn);
    else groups.push([turn]);
  }
  return groups.filter((group) => group.some(({ role }) => role === 'user'));
}
