import type { LanguageRules } from '../languages/rules.ts';

/**
 * A text without what leads a reader of dates astray: a weekday beside a day of a month, which says
 * nothing more, and what comes every year.
 */
export function withSingleDays(text: string, { dates, dated }: LanguageRules): string {
  const { weekdayBefore, weekdayAfter, on, beforeHour } = dates;
  const days = text
    .replace(weekdayBefore, (...match) => leadOf(match.at(-1), on) ?? on)
    .replace(weekdayAfter, '$<date>')
    .replace(beforeHour ?? /$^/, ', ');
  if (!dates.yearly.test(days)) return days;
  const clauses = days.split(clausePattern);
  const isYearly = clauses.map((clause) => dates.yearly.test(clause));
  // "Every year, in March, ...": the words may stand apart from the date.
  const isAlone = (clause: string) => !dated.test(clause.replace(dates.yearly, ''));
  return clauses
    .filter((_, index) => {
      const beside = [index - 1, index + 1];
      const isBesideYearly = beside.some((at) => isYearly[at] && isAlone(clauses[at] ?? ''));
      return !isYearly[index] && !isBesideYearly;
    })
    .join(', ');
}

function leadOf(groups: unknown, on: string): string | undefined {
  const { lead } = (groups ?? {}) as { lead?: string };
  // "Is for Friday the 18th" is for the 18th.
  return lead === undefined ? undefined : `${lead} ${on.replace(/^\S+ /, '')}`;
}

const clausePattern = /(?<!\d)[,;.!?:]\s+|[、，。；]/u;
