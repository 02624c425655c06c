import { expect, it } from 'vitest';
import { foundMemories, timeCell, timeText } from '../../src/cli/io/memory-lines.ts';
import { presentItem } from '../../src/mcp/results/views.ts';

const created_at = '2026-11-21T07:30:00.000Z'; // the evening before in Los Angeles
const timezone = 'America/Los_Angeles';
const terminal = { isInteractive: false, columns: 80, hasColor: false };

it('dates what a tool shows in the zone of its reader', () => {
  const how = { detailed: false, scope: {}, timezone };
  const item = { memory: 'The bike is blue', id: '1', created_at };
  expect(presentItem(item, how)).toMatchObject({ date: '2026-11-20' });
  const meeting = { ...item, occurred_at: created_at, occurred_granularity: 'minute' };
  expect(presentItem(meeting, how)).toMatchObject({ occurred: '2026-11-20T23:30' });
  const holiday = { ...item, occurred_at: '2026-11-21T00:00:00.000Z', occurred_granularity: 'day' };
  expect(presentItem(holiday, how)).toMatchObject({ occurred: '2026-11-21' });
  expect(presentItem({ ...item, created_at: 'long ago' }, how)).toMatchObject({ date: 'long ago' });
});

it('dates what a command shows in the configured zone, and names it', () => {
  const asked = { query: null, tokensMax: 500, timezone };
  const found = foundMemories([{ memory: 'Blue', created_at }], asked, terminal as never);
  expect(found).toContain('(2026-11-20)');
  expect(timeCell(created_at, { isInteractive: false, timezone })).toMatchObject({
    text: '2026-11-20T23:30:00.000-08:00',
  });
  expect(timeText(created_at, { isInteractive: true, timezone })).toContain(
    '(2026-11-20 23:30 America/Los_Angeles)',
  );
  expect(timeText(created_at, { isInteractive: false, timezone: 'UTC' })).toBe(created_at);
});
