import { configuredScope } from '../../contract/scope/memory-scope.ts';
import { type ListedTool, listTools } from '../../mcp/tools/list-tools.ts';
import type { RunCommand } from '../command-line/command.ts';
import { wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadCommandConfig } from '../context/command-config.ts';
import { measuredTools } from '../io/measured-tools.ts';
import { formatColumns, print, printJson } from '../io/output.ts';

export const run: RunCommand = async (args) => {
  const { values } = await loadCommandConfig(args);
  const tools = listTools({ ...values, scope: configuredScope(values) });
  if (wantsJsonOutput(args.flags)) {
    printJson({ tools });
    return 0;
  }
  const costs = tools.map(tokensOf);
  const rows = tools.map(({ name, title }, index) => [name, String(costs[index]), title]);
  const sum = costs.reduce((total, cost) => total + cost, 0);
  print(formatColumns([['TOOL', 'TOKENS', 'TITLE'], ...rows]));
  print(`\n  ${tools.length} tools cost a model ${sum.toLocaleString('en')} tokens (o200k).`);
  return 0;
};

/** As measured; where the configuration changes a tool, in proportion to its length. */
function tokensOf({ name, description, inputSchema }: ListedTool): number {
  const { length } = JSON.stringify({ name, description, inputSchema });
  const { tokens = 0, chars = length } = measuredTools[name] ?? {};
  return Math.round((tokens * length) / chars);
}
