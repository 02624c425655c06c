import { listTools } from '../../mcp/listed.ts';
import { estimateTokens } from '../../mcp/tokens.ts';
import type { RunCommand } from '../commands.ts';
import { configOf, scopeOf } from '../configured.ts';
import { columns, print, printJson } from '../output.ts';

export const run: RunCommand = async (args) => {
  const { values } = await configOf(args);
  const tools = listTools({ ...values, scope: scopeOf(values) });
  if (args.flags.json) {
    printJson({ tools });
    return 0;
  }
  const costs = tools.map(({ name, description, inputSchema }) =>
    estimateTokens(`${name} ${description} ${JSON.stringify(inputSchema)}`),
  );
  const rows = tools.map(({ name, title }, index) => [name, String(costs[index]), title]);
  const sum = costs.reduce((total, cost) => total + cost, 0);
  print(columns([['TOOL', 'TOKENS', 'TITLE'], ...rows]));
  print(`\n  ${tools.length} tools cost a model about ${sum} tokens (estimated).`);
  return 0;
};
