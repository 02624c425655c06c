import type { LoadedConfig } from '../../config/load-config.ts';
import { ApiError } from '../../contract/errors.ts';
import { withScopedInvoke } from '../context/scoped-invoke.ts';
import { detectProject } from './detect-project.ts';
import { durableTurns } from './durable-sentences.ts';
import type { HookEvent } from './hook-event.ts';
import { redactTurns } from './redact-secrets.ts';
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
    const open = redactTurns(turns);
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
  messages: readonly TranscriptTurn[],
  cwd: string,
): Promise<void> {
  const metadata = { project: await detectProject(cwd), source: 'hook' };
  const input = { messages, infer: true, metadata, custom_instructions: captureInstructions };
  const { status, message } = await withScopedInvoke(loaded, (call) =>
    call('add_memory', { ...input, async_mode: false }),
  );
  if (status === 'FAILED') throw new ApiError('unavailable', message);
}
