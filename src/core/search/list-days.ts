import { dayMs, isoDayOf } from '../../contract/wall-clock.ts';
import type { Candidate } from '../ports/index.ts';
import { type CandidateScope, findDated } from './candidates.ts';
import type { AskedDays } from './query/days/asked-of-days.ts';
import { dayToInstant, type ZonedDays } from './query/days/calendar.ts';
import type { QueryDate } from './query/days/query-dates.ts';
import { isOn, occurrenceShare } from './rank/features.ts';
import type { ScoredCandidate } from './rank/scored-candidate.ts';

/**
 * The memories of the days, the latest first. Each is dated by the event that it tells of, or by
 * when it was said if only that is known or asked for. Each answers the question.
 */
export async function listDays(
  within: CandidateScope,
  { date, of }: AskedDays,
): Promise<ScoredCandidate[]> {
  const candidates = new Map((await findDated(within, date)).map((one) => [one.id, one]));
  const isWanted = (one: Candidate) => {
    if (of === 'said' || one.occurred_at === null) return isOn(date, one.created_at);
    return occurrenceShare(date, one) >= sureShare;
  };
  const timeOf = ({ created_at, occurred_at }: Candidate) =>
    of === 'said' ? created_at : (occurred_at ?? created_at);
  return [...candidates.values()]
    .filter(isWanted)
    .sort((one, other) =>
      timeOf(one) < timeOf(other)
        ? 1
        : timeOf(one) > timeOf(other)
          ? -1
          : other.position - one.position,
    )
    .map(({ id }) => ({
      id,
      score: 1,
      parts: { keyword: 0, entity: 0, temporal: 1, semantic: 0 },
    }));
}

/** A memory dated by its week or month counts if at least this share of that time is asked for. */
const sureShare = 0.5;

/**
 * Says that nothing is remembered about the days. It names the last ones that have begun, and also
 * the coming ones if the last are more than a month ago: "on 8 December" may mean either.
 */
export function nothingOn(date: QueryDate, now: string): string {
  const pastDays = date.find(({ begin }) => begin <= now);
  const comingDays = date.findLast(({ begin }) => begin > now);
  const isRecent = pastDays !== undefined && Date.parse(now) - Date.parse(pastDays.end) <= monthMs;
  const dateRanges = isRecent
    ? [pastDays]
    : [pastDays, comingDays].filter((days) => days !== undefined);
  if (dateRanges.length === 0) return '';
  return `Nothing is remembered about ${dateRanges.map(daysText).join(' or ')}`;
}

const monthMs = 31 * dayMs;

function daysText(days: ZonedDays): string {
  const [from, to] = [days.from, days.to].map((day) => isoDayOf(dayToInstant(day)));
  return from === to ? String(from) : `${from} to ${to}`;
}
