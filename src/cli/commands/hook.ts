import type { LoadedConfig } from '../../config/load-config.ts';
import type { RunCommand } from '../command-line/command.ts';
import { isSwitchOn, requirePositionals } from '../command-line/read-arguments.ts';
import { loadCommandConfig } from '../context/command-config.ts';
import { captureConversation, isCaptureEnabled } from '../hook/capture.ts';
import { runFailOpen, withHookTimeouts } from '../hook/fail-open.ts';
import { type HookEvent, readHookEvent } from '../hook/hook-event.ts';
import { projectContext, promptContext } from '../hook/inject-context.ts';
import { runInBackground } from '../hook/run-in-background.ts';
import { print } from '../io/output.ts';

/** Runs a client's hook; reads its JSON from standard input and never fails it. */
export const run: RunCommand = async ({ flags, positionals: [action, ...words] }, { args }) => {
  requirePositionals(words);
  const isWaiting = isSwitchOn(flags.wait);
  const work = async () => {
    const event = await readHookEvent();
    const loaded = await loadCommandConfig({ flags });
    const cwd = event.cwd || process.cwd();
    if (action === 'session-start') {
      printUnlessEmpty(await projectContext(withHookTimeouts(loaded), cwd));
    } else if (action === 'prompt') {
      const prompt = { prompt: event.prompt ?? '', cwd };
      printUnlessEmpty(await promptContext(withHookTimeouts(loaded), prompt));
    } else if (isWaiting) {
      await captureConversation(loaded, event);
    } else {
      await captureInBackground(loaded, event, args);
    }
  };
  return runFailOpen(work, isWaiting ? { timeoutMs: captureTimeoutMs } : {});
};

/** No one waits for the background process, and a model may be slow for each fact. */
const captureTimeoutMs = 10 * 60_000;

/** Prints no empty line, because clients show every line to the model. */
function printUnlessEmpty(text: string): void {
  if (text !== '') print(text);
}

async function captureInBackground(
  loaded: LoadedConfig,
  event: HookEvent,
  args: readonly string[],
) {
  if (!isCaptureEnabled(loaded)) return;
  await runInBackground([...args, '--wait'], { event, data_dir: loaded.values.data_dir });
}
