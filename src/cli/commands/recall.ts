import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { ApiError } from '../../contract/errors.ts';
import { parseInput } from '../../contract/parse.ts';
import { number } from '../../contract/schemas/page.ts';
import { tell } from '../../log.ts';
import { isOn } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { configOf } from '../configured.ts';
import type { Arguments } from '../flags.ts';
import { impatient, quietly } from '../hook/quietly.ts';
import { foundLines, memoryFrame, memoryLines } from '../memory-lines.ts';
import { print, printJson } from '../output.ts';
import { withScoped } from '../scoped.ts';

/** Finds memories and prints them, for people, scripts and hooks. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const format = formatOf(flags);
  const recall = async () => {
    const query = await queryOf(positionals);
    const { max_tokens } = parseInput({ input: Limits }, { max_tokens: flags.max_tokens });
    const configured = await configOf({ flags });
    const loaded = format === 'hook' ? impatient(configured) : configured;
    const input = { query, ...given({ top_k: flags.top_k, threshold: flags.threshold }) };
    const { results } = await withScoped(loaded, (call) => call('search_memories', input));
    if (format === 'json') printJson({ results });
    else if (format === 'hook') printLines(memoryLines(results, max_tokens), format);
    else printLines(foundLines(results, max_tokens), format);
    return 0;
  };
  return format === 'hook' ? quietly(recall) : recall();
};

/** Enough to answer from, and little beside what a model has to read anyway. */
const Limits = z.object({
  max_tokens: number(z.int().min(20).max(1_000_000)).default(1500),
});

const formats = ['text', 'json', 'hook'] as const;

type Format = (typeof formats)[number];

/** `--format json` is how `--json` was spelled before. */
function formatOf({ format: value = 'text', json }: Arguments['flags']): Format {
  const format = formats.find((name) => name === value);
  if (format !== undefined) return format === 'text' && isOn(json) ? 'json' : format;
  throw new ApiError('invalid', `flag --format: must be one of ${formats.join(', ')}`);
}

async function queryOf(words: readonly string[]): Promise<string> {
  const isPiped = words.length === 1 && words[0] === '-';
  const query = (isPiped ? await text(process.stdin) : words.join(' ')).trim();
  if (query !== '') return query;
  throw new ApiError('invalid', 'say what to look for: mneme recall "where is the bike"');
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function printLines(lines: readonly string[], format: Format): void {
  if (lines.length === 0) {
    if (format === 'text') tell('Nothing was found.');
    return;
  }
  print([...(format === 'hook' ? [memoryFrame] : []), ...lines].join('\n'));
}
