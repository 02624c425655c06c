import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ApiError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import { shortIdOf, withShortIds } from '../../contract/short-id.ts';
import { tell } from '../../log.ts';
import { oneLine } from '../../mcp/text.ts';
import { isJson, isOn } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { configOf } from '../configured.ts';
import { fieldsOf, inputFrom } from '../fields.ts';
import type { Arguments } from '../flags.ts';
import { impatient, quietly } from '../hook/quietly.ts';
import { columns, print, printJson } from '../output.ts';
import { withScoped } from '../scoped.ts';

/** Stores a fact, or what messages say, and prints what became of it. */
export const run: RunCommand = async (args) => {
  const isHook = isOn(args.flags.hook);
  const remember = async () => {
    const asJson = isJson(args.flags);
    const input = { ...(await contentOf(args)), ...fieldsFrom(args.flags), async_mode: false };
    const configured = await configOf(args);
    const loaded = isHook ? impatient(configured) : configured;
    const answer = await withScoped(loaded, (call) => call('add_memory', input));
    if (asJson) printJson(answer);
    else if (!isHook) report(answer);
    return answer.status === 'FAILED' ? 1 : 0;
  };
  return isHook ? quietly(remember) : remember();
};

async function contentOf({ flags, positionals }: Arguments): Promise<Record<string, unknown>> {
  const { messages } = flags;
  if (typeof messages === 'string') {
    if (positionals.length === 0) return { messages: await messagesIn(messages) };
    throw new ApiError('invalid', 'give either a fact or --messages, not both');
  }
  const isPiped = positionals.length === 1 && positionals[0] === '-';
  const fact = (isPiped ? await text(process.stdin) : positionals.join(' ')).trim();
  if (fact !== '') return { text: fact };
  throw new ApiError('invalid', 'say what to remember: mneme remember "The bike is in the cellar"');
}

/** A JSON list of `{ role, content }`, or one of them a line. */
async function messagesIn(source: string): Promise<unknown> {
  const content = source === '-' ? await text(process.stdin) : await readText(source);
  try {
    if (content.trimStart().startsWith('[')) return JSON.parse(content);
    const lines = content.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line));
  } catch (error) {
    const what = 'must hold a JSON list of { role, content }, or one of them a line';
    throw new ApiError('invalid', `flag --messages: ${what}`, { cause: error });
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new ApiError('not_found', `${file} cannot be read (${code})`, { cause: error });
  }
}

function fieldsFrom(flags: Arguments['flags']): Record<string, unknown> {
  const own = fieldsOf(contract.add_memory).filter(({ name }) =>
    ['infer', 'metadata'].includes(name),
  );
  return inputFrom(flags, own);
}

const words: Readonly<Record<WriteResult['event'], string>> = {
  ADD: 'stored',
  UPDATE: 'changed',
  DELETE: 'forgotten',
  NOOP: 'not stored',
};

function report({ message, results }: { message: string; results: readonly WriteResult[] }): void {
  if (results.length === 0) tell(message);
  const rows = results.map((result) => {
    const reason = 'reason' in result && result.reason ? ` (${withShortIds(result.reason)})` : '';
    return [words[result.event], shortIdOf(result.id ?? '-'), `${oneLine(result.memory)}${reason}`];
  });
  if (rows.length > 0) print(columns(rows));
}
