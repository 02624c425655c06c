import { describe, expect, it } from 'vitest';
import { resolveQueryLanguages } from '../../src/core/language/resolve-languages.ts';
import { dayOf, occurrenceRange, singleDay } from '../../src/core/search/query/days/calendar.ts';
import {
  overlapShare,
  parseQueryDates,
  type QueryDate,
} from '../../src/core/search/query/days/query-dates.ts';
import { otherDaysFor } from '../../src/core/search/query/query.ts';

/** A Saturday. */
const now = '2026-03-14T09:26:53.000Z';

function isOn(date: QueryDate, day: number): boolean {
  return overlapShare(date, singleDay(day)) === 1;
}

/** Of a project whose memories are in no language but English. */
async function datesOf(query: string, at: string = now): Promise<QueryDate[]> {
  const { sure } = await resolveQueryLanguages(query, []);
  const others = await otherDaysFor(sure);
  return parseQueryDates(query, { now: at, timezone: 'UTC', sure, others }).dates;
}

async function isAsked(query: string, day: string): Promise<boolean> {
  return (await datesOf(query)).some((date) => isOn(date, dayOf(day)));
}

describe('the dates of a question', () => {
  it.each([
    ['What happened on 2026-02-03?', '2026-02-03', '2026-02-04'],
    ['what did we do in 2026-02', '2026-02-28', '2026-03-01'],
    ['on February 3rd, 2025', '2025-02-03', '2026-02-03'],
    ['on the 3rd of February 2025', '2025-02-03', '2025-02-04'],
    ['in May 2024', '2024-05-31', '2024-06-01'],
    ['back in 2024', '2024-01-01', '2025-01-01'],
    ['in early May', '2025-05-01', '2025-06-01'],
    ['on 24 December', '2019-12-24', '2025-12-25'],
    ['yesterday', '2026-03-13', '2026-03-14'],
    ['the day before yesterday', '2026-03-12', '2026-03-13'],
    ['today', '2026-03-14', '2026-03-13'],
    ['last week', '2026-03-02', '2026-03-09'],
    ['this week', '2026-03-09', '2026-03-08'],
    ['last month', '2026-02-01', '2026-03-01'],
    ['last year', '2025-12-31', '2026-01-01'],
    ['two weeks ago', '2026-02-28', '2026-03-07'],
    ['3 days ago', '2026-03-11', '2026-03-12'],
    ['in the past two months', '2026-01-14', '2026-01-13'],
    ['on Monday', '2026-03-09', '2026-03-02'],
    ['on Friday', '2026-03-20', '2026-03-21'],
    ['next Friday', '2026-03-20', '2026-03-13'],
    ['April', '2026-04-30', '2026-05-01'],
    ['what happened April?', '2025-04-01', '2025-05-01'],
    ['what did June and I do in April 2024', '2024-04-30', '2024-06-01'],
    ['between April and June', '2025-06-30', '2025-07-01'],
    ['the trip in july or august', '2025-08-31', '2025-09-01'],
    ['mid-June', '2025-06-30', '2025-07-01'],
    ['every april', '2024-04-01', '2024-05-01'],
    ['the August report', '2025-08-01', '2025-09-01'],
    ['Was war letzten April?', '2025-04-30', '2025-05-01'],
    ['in June', '2027-06-30', '2028-06-01'],
    ['in two weeks', '2026-03-28', '2026-03-14'],
    ['tomorrow', '2026-03-15', '2026-03-14'],
    ['last Saturday', '2026-03-07', '2026-03-14'],
    ['last summer', '2025-08-31', '2025-09-01'],
    ['in the summer of last year', '2025-06-01', '2025-01-01'],
    ['in the spring of 2024', '2024-03-01', '2024-06-01'],
    ['in spring 2024', '2024-05-31', '2024-12-01'],
    ['this summer', '2026-06-01', '2025-06-01'],
    ['this winter', '2026-02-28', '2026-03-01'],
    ['this winter', '2026-12-01', '2025-03-01'],
    ['in the winter of 2024', '2025-02-28', '2024-06-01'],
    ['next fall', '2026-09-01', '2027-09-01'],
    ['next spring', '2027-03-01', '2026-03-14'],
    ['in the summer', '2019-07-01', '2019-09-01'],
    ['Was habe ich letzten Sommer gemacht?', '2025-06-01', '2024-06-01'],
    ['im Sommer 2024', '2024-08-31', '2024-09-01'],
    ['im Winter 2024', '2024-12-31', '2024-06-01'],
    ['Wo war ich im Frühjahr 2024?', '2024-03-01', '2024-06-01'],
    ["Où étais-je l'été dernier ?", '2025-06-01', '2025-05-31'],
    ['¿Dónde estuve el verano pasado?', '2025-06-01', '2024-06-01'],
    ["Dove vado quest'estate?", '2026-06-01', '2025-06-01'],
    ['Dove sono stato in estate?', '2025-07-01', '2025-05-01'],
    ['verano pasado', '2025-06-01', '2024-06-01'],
    ['Onde estive no inverno do ano passado?', '2025-12-01', '2025-06-01'],
    ['Где я был прошлым летом?', '2025-06-01', '2025-09-01'],
    ['去年の夏に何をしましたか', '2025-06-01', '2025-09-01'],
    ['我去年秋天在哪里？', '2025-09-01', '2025-12-01'],
  ])('"%s" is %s, not %s', async (query, inside, outside) => {
    expect(await isAsked(query, `${inside}T23:59:59.999Z`)).toBe(true);
    expect(await isAsked(query, `${outside}T00:00:00.000Z`)).toBe(false);
  });

  it.each([
    ['in May 2024', '2024-05-06', 'week', 1],
    ['in May 2024', '2024-04-29', 'week', 5 / 7],
    ['in May 2024', '2024-05-01', 'month', 1],
    ['in May 2024', '2024-03-01', 'season', 31 / 92],
    ['in May 2024', '2024-01-01', 'year', 31 / 366],
    ['in May 2024', '2025-01-01', 'year', 0],
    ['in 2024', '2024-05-07', 'minute', 1],
  ] as const)(
    '"%s" is asked of %s, known by the %s, to a share of %s',
    async (query, from, exact, share) => {
      const [date = []] = await datesOf(query);

      expect(
        overlapShare(date, occurrenceRange(dayOf(`${from}T00:00:00.000Z`), exact)),
      ).toBeCloseTo(share, 10);
    },
  );

  it('end with a shorter month', async () => {
    const lastDayOfMay = '2026-05-31T12:00:00.000Z';

    const [date = []] = await datesOf('a month ago', lastDayOfMay);

    expect(isOn(date, dayOf('2026-04-30T00:00:00.000Z'))).toBe(true);
    expect(isOn(date, dayOf('2026-05-01T00:00:00.000Z'))).toBe(false);
  });

  it.each([
    'May I march with you?',
    'My colleague April joined',
    'June is my sister',
    'Is April coming?',
    'Who is June?',
    'What did Jan say about August, the painter?',
    'April and June are my cousins',
    'room 2026b, the 12345',
    'nothing of time',
    'did I fall from the horse',
    'who helps us with what is left in estate matters?',
    'in estate planning',
    'a spring roll, and a bed with springs',
    '9999999999 weeks',
    '',
  ])('are none in "%s"', async (query) => {
    expect(await datesOf(query)).toEqual([]);
  });

  it('are as many as there are', async () => {
    expect(await datesOf('between 3 May 2024 and last week')).toHaveLength(2);
  });

  it('are at most ten, because each is looked up in the store', async () => {
    expect(await datesOf('in may '.repeat(280))).toHaveLength(10);
  });
});
