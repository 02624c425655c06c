import { text } from 'node:stream/consumers';
import { printToStderr } from '../../../log.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { isSwitchOn } from '../../command-line/read-arguments.ts';
import { readClocks } from '../../command-line/read-clocks.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { withScopedInvoke } from '../../context/scoped-invoke.ts';
import { explanationLines } from '../../io/explanation-lines.ts';
import { print, printJson } from '../../io/output.ts';
import { printable } from '../../io/printable.ts';
import { describeTerminal } from '../../io/terminal.ts';

const fields = ['max_tokens', 'cut', 'template', 'explain', 'explain_id'] as const;

/** Prints what an agent would read before it answers: one text within a budget of tokens. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const isPiped = positionals.length === 1 && positionals[0] === '-';
  const query = (isPiped ? await text(process.stdin) : positionals.join(' ')).trim();
  const loaded = await loadCommandConfig({ flags });
  const set = fields.filter((name) => flags[name] !== undefined);
  const input = {
    ...Object.fromEntries(set.map((name) => [name, flags[name]])),
    ...(query !== '' && { query }),
    ...readClocks(flags),
  };
  const context = await withScopedInvoke(loaded, (call) => call('get_context', input), {
    project: 'must exist',
  });
  if (isSwitchOn(flags.json)) printJson(context);
  else if (context.text === '') printToStderr('Nothing is remembered that answers this.');
  else print(describeTerminal().isInteractive ? printable(context.text) : context.text);
  if (!isSwitchOn(flags.json) && context.explanation !== undefined)
    print(explanationLines(context.explanation).join('\n'));
  return 0;
};
