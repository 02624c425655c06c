import { listTools } from '../../mcp/tools/list-tools.ts';
import type { RunCommand } from '../command-line/command.ts';
import { wantsJsonOutput } from '../command-line/read-arguments.ts';
import { configuredScope, loadCommandConfig } from '../context/command-config.ts';
import { formatColumns, print, printJson } from '../io/output.ts';

/** Measured over all of these schemas with the o200k encoding. */
const charsPerToken = 4.3;

export const run: RunCommand = async (args) => {
  const { values } = await loadCommandConfig(args);
  const tools = listTools({ ...values, scope: configuredScope(values) });
  if (wantsJsonOutput(args.flags)) {
    printJson({ tools });
    return 0;
  }
  const costs = tools.map(({ name, description, inputSchema }) =>
    Math.round(JSON.stringify({ name, description, inputSchema }).length / charsPerToken),
  );
  const rows = tools.map(({ name, title }, index) => [name, String(costs[index]), title]);
  const sum = costs.reduce((total, cost) => total + cost, 0);
  print(formatColumns([['TOOL', 'TOKENS', 'TITLE'], ...rows]));
  print(`\n  ${tools.length} tools cost a model about ${sum} tokens (estimated).`);
  return 0;
};
