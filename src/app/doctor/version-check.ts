import type { Config } from '../../config/options.ts';
import { dayMs } from '../../contract/wall-clock.ts';
import type { VersionCounts } from '../../storage/sql/count-versions.ts';
import { type Check, ok } from './check.ts';

type HistoryDays = Pick<Config, 'history_days'>;

/** Versions that ended before this time are pruned; null if none are. */
export function prunedBefore({ history_days }: HistoryDays): string | null {
  if (history_days === 0) return null;
  return new Date(Date.now() - history_days * dayMs).toISOString();
}

/** How many earlier versions there are, and which of them go. Unknown ones are left out. */
export function checkVersions(
  versions: VersionCounts | null,
  { history_days }: HistoryDays,
): Check[] {
  if (versions === null) return [];
  const { all, old } = versions;
  const name = 'Earlier versions';
  if (history_days === 0) return [ok(name, `${all}, kept forever (history_days 0)`)];
  const goes = old === 1 ? 'goes' : 'go';
  const finding = `${all}; ${old} ended more than ${history_days} days ago (history_days) and ${goes}`;
  return [ok(name, `${finding} within an hour of a server`)];
}
