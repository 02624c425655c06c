import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/contract/schemas/filter.ts';
import {
  clocksKept,
  clocksMax,
  dayInZone,
  instantsOfDay,
  startOfDayInZone,
} from '../../src/contract/wall-clock.ts';

const west = 'America/Los_Angeles';

describe('a day begins, where clocks are changed,', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    [west, '2026-11-01', '2026-11-01T07:00:00.000Z'],
    [west, '2026-11-02', '2026-11-02T08:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['Asia/Kathmandu', '2026-03-29', '2026-03-28T18:15:00.000Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ])('in %s on %s at %s', (timezone, day, begin) => {
    expect(startOfDayInZone(new Date(`${day}T00:00:00.000Z`), timezone)).toBe(begin);
  });
});

describe('a day of a zone', () => {
  it('has 23 hours where clocks are put forward, and 25 where they are put back', () => {
    expect(instantsOfDay('2026-03-08', west)).toEqual({
      begin: '2026-03-08T08:00:00.000Z',
      end: '2026-03-09T07:00:00.000Z',
    });
    expect(instantsOfDay('2026-11-01', west).end).toBe('2026-11-02T08:00:00.000Z');
  });

  it('is the one that calendars show there', () => {
    expect(dayInZone('2026-11-21T07:30:00.000Z', west)).toBe('2026-11-20');
    expect(dayInZone('2026-11-20T23:30:00.000Z', 'Asia/Shanghai')).toBe('2026-11-21');
  });

  it('compares as text in the first and in the last year', () => {
    for (const timezone of ['UTC', west, 'Asia/Shanghai']) {
      for (const day of ['0001-01-01', '0099-12-31', '9999-12-31']) {
        const { begin, end } = instantsOfDay(day, timezone);
        expect(begin, timezone).toMatch(/^\d{4}-/);
        expect(end > begin, `${day} ${timezone}`).toBe(true);
      }
    }
  });
});

describe('a date in a filter', () => {
  it('is a day of the zone where something is stored on it', () => {
    expect(parseFilter({ created_at: { gte: '2026-11-20', lte: '2026-11-20' } }, west)).toEqual({
      all: [
        { field: 'created_at', path: [], operator: 'gte', value: '2026-11-20T08:00:00.000Z' },
        { field: 'created_at', path: [], operator: 'lt', value: '2026-11-21T08:00:00.000Z' },
      ],
    });
    const within = parseFilter({ NOT: { OR: [{ updated_at: ['2026-11-20'] }] } }, west);
    expect(JSON.stringify(within)).toContain('2026-11-20T08:00:00.000Z');
  });

  it.each(['occurred_at', 'valid_from', 'valid_until'])('is one of the calendar in %s', (field) => {
    const parsed = parseFilter({ [field]: { gte: '2026-11-20' } }, west);
    expect(parsed).toMatchObject({ value: '2026-11-20T00:00:00.000Z' });
  });

  it('is left alone with a time of day', () => {
    const parsed = parseFilter({ created_at: { gte: '2026-11-20T10:00:00+01:00' } }, west);
    expect(parsed).toMatchObject({ value: '2026-11-20T09:00:00.000Z' });
  });
});

it('keeps few zones ready, however many ways there are to write their names', () => {
  const letters = [...'america/los_angeles'];
  for (let spelling = 0; spelling < 3 * clocksMax; spelling += 1) {
    const name = letters.map((letter, at) =>
      (spelling >> at) & 1 ? letter.toUpperCase() : letter,
    );
    expect(dayInZone('2026-11-21T07:30:00.000Z', name.join(''))).toBe('2026-11-20');
  }
  expect(clocksKept()).toBeLessThanOrEqual(clocksMax);
});
