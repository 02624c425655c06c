import { listTools } from '../../mcp/listed.ts';
import { isJson } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { configOf, scopeOf } from '../configured.ts';
import { columns, print, printJson } from '../output.ts';

/** What the o200k encoding makes of these schemas, measured over all of them. */
const charsPerToken = 4.3;

export const run: RunCommand = async (args) => {
  const { values } = await configOf(args);
  const tools = listTools({ ...values, scope: scopeOf(values) });
  if (isJson(args.flags)) {
    printJson({ tools });
    return 0;
  }
  const costs = tools.map(({ name, description, inputSchema }) =>
    Math.round(JSON.stringify({ name, description, inputSchema }).length / charsPerToken),
  );
  const rows = tools.map(({ name, title }, index) => [name, String(costs[index]), title]);
  const sum = costs.reduce((total, cost) => total + cost, 0);
  print(columns([['TOOL', 'TOKENS', 'TITLE'], ...rows]));
  print(`\n  ${tools.length} tools cost a model about ${sum} tokens (estimated).`);
  return 0;
};
