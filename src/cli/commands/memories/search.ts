import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { ApiError } from '../../../contract/errors.ts';
import { parseInput } from '../../../contract/parse-input.ts';
import { numeric } from '../../../contract/schemas/query-values.ts';
import type { Output } from '../../../contract.ts';
import { printToStderr } from '../../../log.ts';
import type { RunCommand } from '../../command-line/command.ts';
import type { CommandArguments } from '../../command-line/flags.ts';
import { isSwitchOn } from '../../command-line/read-arguments.ts';
import { readClocks } from '../../command-line/read-clocks.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { type ScopedInvoke, withScopedInvoke } from '../../context/scoped-invoke.ts';
import { runFailOpen, withHookTimeouts } from '../../hook/fail-open.ts';
import { explanationLines } from '../../io/explanation-lines.ts';
import { describeScope, foundMemories, memoryLines, memoryNotice } from '../../io/memory-lines.ts';
import { print, printJson } from '../../io/output.ts';
import { describeTerminal } from '../../io/terminal.ts';

/** Finds memories and prints them, for people, scripts and hooks. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const format = readFormat(flags);
  const search = async () => {
    const query = await readQueryText(positionals);
    const { max_tokens } = parseInput({ input: SearchLimits }, { max_tokens: flags.max_tokens });
    const config = await loadCommandConfig({ flags });
    const loaded = format === 'hook' ? withHookTimeouts(config) : config;
    const { limit, top_k = limit, threshold, explain, explain_id } = flags;
    const options = omitUndefined({ top_k, threshold, explain, explain_id });
    // A model pays for each line: what is weak beside the best one is left out.
    const input = {
      query,
      ...options,
      ...readClocks(flags),
      ...(format === 'hook' && { cut: 'relaxed' }),
    };
    const find = (call: ScopedInvoke) => call('search_memories', input);
    // A hook of a new project must not fail.
    const project = format === 'hook' ? 'is made' : 'must exist';
    const { results, note, weak, explanation } = await withScopedInvoke(loaded, find, {
      project,
    });
    const { timezone } = loaded.values;
    const shape = { query, tokensMax: max_tokens, timezone };
    if (format === 'json') printJson({ results, ...omitUndefined({ note, weak, explanation }) });
    else if (format === 'hook') printForHook(memoryLines(results, shape));
    else if (results.length === 0)
      // Nothing is found most often because the memories belong to another user.
      printToStderr(nothingFound({ note, weak, scope: describeScope(loaded.values), shape }));
    else print(foundMemories(results, shape, describeTerminal()));
    if (format === 'text' && explanation !== undefined)
      print(explanationLines(explanation).join('\n'));
    return 0;
  };
  return format === 'hook' ? runFailOpen(search) : search();
};

type NothingFound = Pick<Output<'search_memories'>, 'note' | 'weak'> & {
  scope: string;
  shape: Parameters<typeof foundMemories>[1];
};

/** With the nearest memories, where there are any: one of them may be what is meant. */
function nothingFound({ note, weak = [], scope, shape }: NothingFound): string {
  const message = `${note ?? 'Nothing was found'}${scope}.`;
  if (weak.length === 0) return message;
  const terminal = describeTerminal(process.stderr);
  return `${message} These are nearest, and may not answer it:\n${foundMemories(weak, shape, terminal)}`;
}

/** Enough to answer from, and small compared to what a model reads anyway. */
const SearchLimits = z.object({
  max_tokens: numeric(z.int().min(20).max(1_000_000)).default(1500),
});

const searchFormats = ['text', 'json', 'hook'] as const;

type SearchFormat = (typeof searchFormats)[number];

/** `--format json` is the older spelling of `--json`. */
function readFormat({ format: value = 'text', json }: CommandArguments['flags']): SearchFormat {
  const format = searchFormats.find((name) => name === value);
  if (format !== undefined) return format === 'text' && isSwitchOn(json) ? 'json' : format;
  throw new ApiError('invalid', `flag --format: must be one of ${searchFormats.join(', ')}`);
}

async function readQueryText(words: readonly string[]): Promise<string> {
  const isPiped = words.length === 1 && words[0] === '-';
  const query = (isPiped ? await text(process.stdin) : words.join(' ')).trim();
  if (query !== '') return query;
  throw new UsageError('say what to look for: mneme search "where is the bike"');
}

function omitUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function printForHook(lines: readonly string[]): void {
  if (lines.length > 0) print([memoryNotice, ...lines].join('\n'));
}
