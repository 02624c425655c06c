import type { LoadedConfig } from '../../config/load-config.ts';
import { isOn, wordsOf } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { configOf } from '../configured.ts';
import { capture, isWanted } from '../hook/capture.ts';
import { detach } from '../hook/detach.ts';
import { type HookEvent, readEvent } from '../hook/event.ts';
import { impatient, quietly } from '../hook/quietly.ts';
import { remindOfProject, remindOfPrompt } from '../hook/remind.ts';
import { print } from '../output.ts';

/** What a client's hooks call; it reads their JSON on standard input and never fails them. */
export const run: RunCommand = async ({ flags, positionals: [action, ...words] }, { args }) => {
  wordsOf(words);
  const isWaiting = isOn(flags.wait);
  const work = async () => {
    const event = await readEvent();
    const loaded = await configOf({ flags });
    if (action === 'session-start') {
      say(await remindOfProject(impatient(loaded), event.cwd || process.cwd()));
    } else if (action === 'prompt') {
      say(await remindOfPrompt(impatient(loaded), event.prompt ?? ''));
    } else if (isWaiting) {
      await capture(loaded, event);
    } else {
      await captureLater(loaded, event, args);
    }
  };
  return quietly(work, isWaiting ? { timeoutMs: captureTimeoutMs } : {});
};

/** Nobody waits for what runs in the background; a model may take its time over each fact. */
const captureTimeoutMs = 10 * 60_000;

/** Nothing to say is no line either: clients show every one to the model. */
function say(text: string): void {
  if (text !== '') print(text);
}

async function captureLater(loaded: LoadedConfig, event: HookEvent, args: readonly string[]) {
  if (!isWanted(loaded)) return;
  await detach([...args, '--wait'], { event, data_dir: loaded.values.data_dir });
}
