import type { LoadedConfig } from '../../config/load-config.ts';
import { ApiError } from '../../contract/errors.ts';
import { withScoped } from '../scoped.ts';
import type { HookEvent } from './event.ts';
import { advance, hooksFolder } from './progress.ts';
import { projectOf } from './project.ts';
import { withoutSecrets } from './secrets.ts';
import { toldTurns } from './told.ts';
import { readTurns, type Turn } from './transcript.ts';

/** For servers that extract facts with a language model. */
const instructions =
  'Keep what will matter in later conversations: preferences, facts about people and projects, ' +
  'decisions with their reasons, corrections. Leave out the steps of the work at hand, code, ' +
  'commands, secrets, and what can be read in the repository.';

/** Stores what was said in a conversation since the last time. */
export async function capture(loaded: LoadedConfig, event: HookEvent): Promise<void> {
  const { transcript_path: transcript } = event;
  const { data_dir } = loaded.values;
  if (!isWanted(loaded)) return;
  if (!transcript) throw new ApiError('invalid', 'transcript_path is missing');
  await advance({ folder: hooksFolder(data_dir), transcript }, async (from) => {
    const { turns, next } = await readTurns(transcript, from);
    const open = withoutSecrets(turns);
    const messages = loaded.values.capture === 'told' ? toldTurns(open) : open;
    const cwd = event.cwd || process.cwd();
    if (messages.some(({ role }) => role === 'user')) await store(loaded, messages, cwd);
    return next;
  });
}

export function isWanted({ values }: LoadedConfig): boolean {
  return values.capture !== 'off' && !values.read_only;
}

async function store(loaded: LoadedConfig, messages: readonly Turn[], cwd: string): Promise<void> {
  const metadata = { project: await projectOf(cwd), source: 'hook' };
  const input = { messages, infer: true, metadata, custom_instructions: instructions };
  const { status, message } = await withScoped(loaded, (call) =>
    call('add_memory', { ...input, async_mode: false }),
  );
  if (status === 'FAILED') throw new ApiError('unavailable', message);
}
