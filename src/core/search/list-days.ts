import { dayMs, isoDayOf } from '../../contract/wall-clock.ts';
import type { Candidate } from '../ports/index.ts';
import { type CandidateScope, findDated } from './candidates.ts';
import type { AskedDays } from './query/days/asked-of-days.ts';
import { dayToInstant, type ZonedDays } from './query/days/calendar.ts';
import type { QueryDate } from './query/days/query-dates.ts';
import { isOn, occurrenceShare } from './rank/features.ts';
import type { ScoredCandidate } from './rank/scored-candidate.ts';

/**
 * The memories of the days, the latest first: each by when that was of which it tells, or by when
 * it was said where that is all that is known or asked. Each answers the question.
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

/** Of what is known by its week or month, so much is of the days. */
const sureShare = 0.5;

/**
 * Says that the days have nothing: the last of them that have begun, and those to come where the
 * last ones are more than a month ago, as "on 8 December" may mean either.
 */
export function nothingOn(date: QueryDate, now: string): string {
  const past = date.find(({ begin }) => begin <= now);
  const coming = date.findLast(({ begin }) => begin > now);
  const isRecent = past !== undefined && Date.parse(now) - Date.parse(past.end) <= monthMs;
  const named = isRecent ? [past] : [past, coming].filter((days) => days !== undefined);
  if (named.length === 0) return '';
  return `Nothing is remembered about ${named.map(daysText).join(' or ')}`;
}

const monthMs = 31 * dayMs;

function daysText(days: ZonedDays): string {
  const [from, to] = [days.from, days.to].map((day) => isoDayOf(dayToInstant(day)));
  return from === to ? String(from) : `${from} to ${to}`;
}
