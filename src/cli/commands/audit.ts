import { createChainCheck, readAuditLog } from '../../app/audit-log.ts';
import { createApp } from '../../app/create-app.ts';
import { ApiError } from '../../contract/errors.ts';
import type { RunCommand } from '../command-line/command.ts';
import { formatCount, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { createCommandLog, loadLocalConfig } from '../context/command-config.ts';
import { print, printJson } from '../io/output.ts';

/** `verify` checks the chains of the audit log; `export` prints it as JSON Lines. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const [action, ...others] = positionals;
  if ((action !== 'verify' && action !== 'export') || others.length > 0) {
    throw new ApiError('invalid', 'use mneme audit verify or mneme audit export');
  }
  const loaded = await loadLocalConfig({ flags }, 'audit');
  const app = createApp(loaded.values, { log: createCommandLog(loaded) });
  try {
    const entries = readAuditLog((await app.open()).store);
    if (action === 'export') {
      for await (const entry of entries) print(JSON.stringify(entry));
      return 0;
    }
    const check = createChainCheck();
    const problems = [];
    let count = 0;
    const chains = new Map<string, { number: number; hash: string }>();
    for await (const entry of entries) {
      count += 1;
      chains.set(entry.chain, { number: entry.number, hash: entry.hash });
      const problem = check(entry);
      if (problem !== null) problems.push(problem);
    }
    const ends = [...chains].map(([chain, end]) => ({ chain, ...end }));
    if (wantsJsonOutput(flags)) printJson({ entries: count, chains: ends, problems });
    else {
      print(
        `${formatCount(count, 'entry', 'entries')} in ${formatCount(ends.length, 'chain', 'chains')}`,
      );
      for (const { chain, number, problem } of problems) print(`${chain} ${number}: ${problem}`);
      if (problems.length === 0) print('every entry is as it was written');
    }
    return problems.length === 0 ? 0 : 1;
  } finally {
    await app.close();
  }
};
