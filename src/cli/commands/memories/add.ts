import { buffer } from 'node:stream/consumers';
import { decodeText } from '../../../contract/archive/decode-text.ts';
import { ApiError } from '../../../contract/errors.ts';
import { passageOf } from '../../../contract/passage.ts';
import type { WriteResult } from '../../../contract/schemas/change.ts';
import { shortIdOf, withShortIds } from '../../../contract/short-id.ts';
import { contract } from '../../../contract.ts';
import { printToStderr } from '../../../log.ts';
import type { RunCommand } from '../../command-line/command.ts';
import type { CommandArguments } from '../../command-line/flags.ts';
import { inputFromFlags, operationFields } from '../../command-line/operation-fields.ts';
import { isSwitchOn, wantsJsonOutput } from '../../command-line/read-arguments.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { withScopedInvoke } from '../../context/scoped-invoke.ts';
import { runFailOpen, withHookTimeouts } from '../../hook/fail-open.ts';
import { withCommandNames } from '../../io/command-names.ts';
import { openFile } from '../../io/open-file.ts';
import { formatColumns, print, printJson } from '../../io/output.ts';

/** Stores a fact, or the facts in messages, and prints the changes. */
export const run: RunCommand = async (args) => {
  const isHook = isSwitchOn(args.flags.hook);
  const add = async () => {
    const asJson = wantsJsonOutput(args.flags);
    const input = {
      ...(await readContent(args)),
      ...readFieldFlags(args.flags),
      async_mode: false,
    };
    const config = await loadCommandConfig(args);
    const loaded = isHook ? withHookTimeouts(config) : config;
    const answer = await withScopedInvoke(loaded, (call) => call('add_memory', input));
    if (asJson) printJson(answer);
    else if (!isHook) printResults(answer);
    return answer.status === 'FAILED' ? 1 : 0;
  };
  return isHook ? runFailOpen(add) : add();
};

async function readContent({
  flags,
  positionals,
}: CommandArguments): Promise<Record<string, unknown>> {
  const { messages } = flags;
  if (typeof messages === 'string') {
    if (positionals.length === 0) return { messages: await readMessages(messages) };
    throw new ApiError('invalid', 'give either a fact or --messages, not both');
  }
  const isPiped = positionals.length === 1 && positionals[0] === '-';
  const fact = (isPiped ? await readPiped() : positionals.join(' ')).trim();
  if (fact !== '') return { text: fact, find_similar: true };
  throw new UsageError('say what to remember: mneme add "The bike is in the cellar"');
}

/** A JSON list of `{ role, content }`, or one such object per line. */
async function readMessages(source: string): Promise<unknown> {
  const content = await readMessagesText(source);
  try {
    if (content.trimStart().startsWith('[')) return JSON.parse(content);
    const lines = content.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line));
  } catch (error) {
    const what = 'must hold a JSON list of { role, content }, or one such object per line';
    throw new ApiError('invalid', `flag --messages: ${what}`, { cause: error });
  }
}

async function readMessagesText(file: string): Promise<string> {
  if (file === '-') return readPiped();
  const handle = await openFile(file);
  try {
    return decodeText(await handle.readFile(), file);
  } finally {
    await handle.close();
  }
}

async function readPiped(): Promise<string> {
  return decodeText(await buffer(process.stdin), 'standard input');
}

function readFieldFlags(flags: CommandArguments['flags']): Record<string, unknown> {
  const fields = operationFields(contract.add_memory).filter(({ name }) =>
    ['infer', 'metadata', 'valid_from', 'valid_until'].includes(name),
  );
  return inputFromFlags(flags, fields);
}

const changeWords: Readonly<Record<WriteResult['event'], string>> = {
  ADD: 'stored',
  UPDATE: 'changed',
  DELETE: 'forgotten',
  NOOP: 'not stored',
};

/** Its beginning: who stored it has it, and `mneme show` prints it whole. */
function shownText(memory: string): string {
  return passageOf(memory, null, shownTextMax);
}

const shownTextMax = 400;

function printResults({
  message,
  results,
}: {
  message: string;
  results: readonly WriteResult[];
}): void {
  if (results.length === 0) printToStderr(message);
  const rows = results.flatMap((result) => {
    const explanation = ('reason' in result && result.reason) || '';
    const reason = explanation === '' ? '' : ` (${withCommandNames(withShortIds(explanation))})`;
    const id = shortIdOf(result.id ?? '-');
    const like = ('similar' in result && result.similar) || [];
    return [
      [changeWords[result.event], id, `${shownText(result.memory)}${reason}`],
      ...like.map((one) => ['resembles', shortIdOf(one.id), shownText(one.memory)]),
    ];
  });
  if (rows.length > 0) print(formatColumns(rows));
}
