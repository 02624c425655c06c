import type { Exception } from './exceptions.ts';
import type { Findings, Revision } from './suite.ts';

/** What the suite found on a server of one revision, and what that server may fail. */
export type Column = { title: string; found: Findings; listed: readonly Exception[] };

/** The results of a revision as a table: a scenario a row, a server a column. */
export function tableOf(revision: Revision, columns: readonly Column[]): string {
  const titles = ['scenario', ...columns.map(({ title }) => title)];
  const scenarios = [...(columns[0]?.found.keys() ?? [])];
  const rows = scenarios.map((scenario) => [
    `\`${scenario}\``,
    ...columns.map((column) => resultOf(scenario, column)),
  ]);
  const lines = [titles, titles.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  return [`## Required by ${revision}`, '', ...lines, ''].join('\n');
}

function resultOf(scenario: string, { found, listed }: Column): string {
  if (found.get(scenario)?.length === 0) return 'passes';
  const reasons = listed.filter((exception) => exception.scenario === scenario);
  if (reasons.length === 0) return 'fails';
  return reasons
    .map(({ checks, reason }) => (checks ? `${checks.length} of its checks: ${reason}` : reason))
    .join('; ');
}
