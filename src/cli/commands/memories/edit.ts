import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '../../../config/environment.ts';
import { ApiError } from '../../../contract/errors.ts';
import { shortIdOf, withShortIds } from '../../../contract/short-id.ts';
import type { Output } from '../../../contract.ts';
import { printToStderr } from '../../../log.ts';
import { readRegularFile } from '../../../regular-file.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { requirePositionals, wantsJsonOutput } from '../../command-line/read-arguments.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { type ScopedInvoke, withScopedInvoke } from '../../context/scoped-invoke.ts';
import { formatColumns, print, printJson } from '../../io/output.ts';
import { printableLine } from '../../io/printable.ts';

/** Opens the text of a memory in the user's editor, and stores what was changed. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const [memory_id = ''] = requirePositionals(positionals, 'MEMORY_ID');
  const asJson = wantsJsonOutput(flags);
  const loaded = await loadCommandConfig({ flags });
  const edit = (call: ScopedInvoke) => editMemory(call, memory_id);
  const { memory, changed } = await withScopedInvoke(loaded, edit, { project: 'must exist' });
  if (asJson) printJson({ ...memory, changed });
  else if (changed) print(formatColumns([['changed', shortIdOf(memory.id), memory.memory]]));
  else printToStderr('Nothing was changed.');
  return 0;
};

type EditedMemory = Output<'get_memory'>;
type Editing = { memory: Pick<EditedMemory, 'id' | 'memory'>; changed: boolean };

async function editMemory(call: ScopedInvoke, memory_id: string): Promise<Editing> {
  const before = await call('get_memory', { memory_id });
  if (before.immutable) throw new ApiError('forbidden', 'this memory is immutable');
  if (!process.stdin.isTTY && !environment.VISUAL && !environment.EDITOR) {
    const next = 'Set EDITOR to a program that needs none.';
    throw new ApiError('invalid', 'an editor needs a terminal', { next });
  }
  const folder = await mkdtemp(join(tmpdir(), 'mneme-edit-'));
  const file = join(folder, `${shortIdOf(before.id)}.txt`);
  await writeFile(file, `${before.memory}\n`, { mode: 0o600 });
  try {
    await openEditor(file);
    const text = readEdited(file);
    const isSame = text === before.memory.trim();
    if (!isSame) await storeEdit(call, { before, text });
    await rm(folder, { recursive: true, force: true });
    return { memory: { ...before, memory: text }, changed: !isSame };
  } catch (error) {
    throw await keepText(error, { before, file, folder });
  }
}

/** Does not overwrite a change that somebody else stored while the editor was open. */
async function storeEdit(
  call: ScopedInvoke,
  { before, text }: { before: EditedMemory; text: string },
): Promise<void> {
  if (text === '') {
    const next = `mneme forget ${shortIdOf(before.id)} deletes it.`;
    throw new ApiError('invalid', 'the text is empty', { next });
  }
  const memory_id = before.id;
  const now = await call('get_memory', { memory_id });
  if (now.memory !== before.memory) {
    const what = 'the memory was changed while the editor was open';
    throw new ApiError('conflict', `${what}; it says now: ${printableLine(now.memory)}`);
  }
  const { message } = await call('update_memory', { memory_id, text });
  if (message !== undefined) printToStderr(withShortIds(message));
}

/** More than a memory may hold, which the operation itself says. */
const bytesMax = 1024 * 1024;

function readEdited(file: string): string {
  return readRegularFile(file, { bytesMax }).toString('utf8').replaceAll('\r\n', '\n').trim();
}

type Kept = { before: EditedMemory; file: string; folder: string };

/** An error does not lose the written text: its file stays, unless it holds nothing new. */
async function keepText(error: unknown, { before, file, folder }: Kept): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => '');
  if (['', before.memory.trim()].includes(text.trim())) {
    await rm(folder, { recursive: true, force: true });
    return error;
  }
  if (!(error instanceof ApiError)) return error;
  const { code, message, fields, next } = error;
  const advice = [next, `Your text is in ${file}`].filter((part) => part !== undefined).join(' ');
  return new ApiError(code, message, { next: advice, cause: error, ...(fields && { fields }) });
}

/** The user's editor may be a command with arguments, so a shell reads it, as git does. */
async function openEditor(file: string): Promise<void> {
  const isWindows = process.platform === 'win32';
  const editor = environment.VISUAL || environment.EDITOR || (isWindows ? 'notepad' : 'vi');
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' })
    : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code === 0) return;
  throw new ApiError('unavailable', `the editor ${JSON.stringify(editor)} ended with ${code}`, {
    next: 'Set VISUAL or EDITOR to your editor.',
  });
}
