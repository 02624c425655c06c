import {
  type AuditReport,
  type AuditStore,
  readAuditLog,
  verifyAuditLog,
} from '../../app/store/verify-audit-log.ts';
import { ApiError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/format-count.ts';
import { printToStderr } from '../../log.ts';
import type { RunCommand } from '../command-line/command.ts';
import type { CommandArguments } from '../command-line/flags.ts';
import { wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadLocalConfig } from '../context/command-config.ts';
import { withApp } from '../context/with-app.ts';
import { print, printJson } from '../io/output.ts';

/** Checks the chains of the audit log, prints its end, or prints it as JSON Lines. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const [name = '', ...others] = positionals;
  if (!isAction(name) || others.length > 0) {
    throw new ApiError('invalid', `use mneme audit ${Object.keys(actions).join(', ')}`);
  }
  if (name !== 'verify' && flags.head !== undefined) {
    throw new ApiError('invalid', 'flag --head: works only with mneme audit verify');
  }
  const action = actions[name];
  const heads = headsOf(flags);
  const loaded = await loadLocalConfig({ flags }, 'audit');
  return withApp(loaded, async (app) => {
    const { store } = await app.open();
    const { audit_key: key, audit: isOn } = loaded.values;
    return action({ store, key, isOn, heads, asJson: wantsJsonOutput(flags) });
  });
};

function headsOf({ head }: CommandArguments['flags']): string[] {
  if (head === undefined) return [];
  const hashes = String(head)
    .split(',')
    .map((hash) => hash.trim());
  if (hashes.every((hash) => /^(hmac-sha256:[0-9a-f]{8}:)?[0-9a-f]{64}$/.test(hash))) return hashes;
  throw new ApiError('invalid', 'flag --head: must be hashes as mneme audit head prints them');
}

const auditOff =
  'The audit log is off: --audit, or "audit": true in the configuration, turns it on.';

type AuditTask = {
  store: AuditStore;
  key: string | null;
  /** Whether calls are recorded now. */
  isOn: boolean;
  heads: readonly string[];
  asJson: boolean;
};

const actions = {
  verify: async ({ store, key, isOn, heads, asJson }: AuditTask) => {
    const report = await verifyAuditLog(store, { key, heads });
    if (asJson) printJson(report);
    else print(describeReport(report, { key, isOn }));
    return report.problems.length + report.missing.length === 0 ? 0 : 1;
  },
  head: async ({ store, key, isOn, asJson }: AuditTask) => {
    const { head } = await verifyAuditLog(store, { key, heads: [] });
    if (!isOn) printToStderr(auditOff);
    if (asJson) printJson({ head });
    else if (head.length > 0 || isOn) print(head.join(','));
    return 0;
  },
  export: async ({ store, isOn }: AuditTask) => {
    if (!isOn) printToStderr(auditOff);
    for await (const entry of readAuditLog(store)) print(JSON.stringify(entry));
    return 0;
  },
};

function isAction(name: string): name is keyof typeof actions {
  return Object.hasOwn(actions, name);
}

function describeReport(
  { entries, keyed, since, chains, head, problems, missing }: AuditReport,
  { key, isOn }: Pick<AuditTask, 'key' | 'isOn'>,
): string {
  const counts = [
    formatCount(entries, 'entry', 'entries'),
    formatCount(chains.length, 'chain', 'chains'),
  ];
  const count = formatCount(entries - keyed, 'entry', 'entries');
  const isIntact = problems.length + missing.length === 0;
  if (!isOn && entries === 0 && isIntact) return auditOff;
  return [
    ...(isOn ? [] : [auditOff]),
    `${counts.join(' in ')}${since === null ? '' : `, since ${since}`}`,
    ...problems.map(({ chain, number, problem }) => `${chain} ${number}: ${problem}`),
    ...missing.map((hash) => `${hash}: no entry has this hash, so the end of the log was cut off`),
    ...(isIntact ? ['every entry is as it was written'] : []),
    ...(keyed < entries
      ? [`${count} without audit_key: anybody who can write the store could have made them`]
      : []),
    ...(key === null && keyed < entries
      ? ['set audit_key outside of the store (see mneme help audit)']
      : []),
    ...(head.length > 0 ? [`head: ${head.join(',')}`] : []),
  ].join('\n');
}
