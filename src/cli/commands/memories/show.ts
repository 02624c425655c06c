import { shortIdOf } from '../../../contract/short-id.ts';
import { isoDayOf, toWallClock } from '../../../contract/wall-clock.ts';
import type { Output } from '../../../contract.ts';
import { describeEnd } from '../../../mcp/results/validity.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { requirePositionals, wantsJsonOutput } from '../../command-line/read-arguments.ts';
import { readClocks } from '../../command-line/read-clocks.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { withScopedInvoke } from '../../context/scoped-invoke.ts';
import { formatFields } from '../../io/field-list.ts';
import { type ShownTimes, timeText } from '../../io/memory-lines.ts';
import { print, printJson } from '../../io/output.ts';
import { printable } from '../../io/printable.ts';
import { describeTerminal, paint } from '../../io/terminal.ts';

/** Shows a memory with all that is known of it. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const [memory_id] = requirePositionals(positionals, 'MEMORY_ID');
  const asJson = wantsJsonOutput(flags);
  const loaded = await loadCommandConfig({ flags });
  const input = { memory_id, ...readClocks(flags) };
  const memory = await withScopedInvoke(loaded, (call) => call('get_memory', input), {
    project: 'must exist',
  });
  if (asJson) printJson(memory);
  else printMemory(memory, loaded.values);
  return 0;
};

type MemoryDetails = Output<'get_memory'>;
type ShownZone = Pick<ShownTimes, 'timezone'>;

function printMemory(memory: MemoryDetails, { timezone }: ShownZone): void {
  const terminal = describeTerminal();
  const fields = describeMemory(memory, { ...terminal, timezone });
  if (terminal.isInteractive) {
    print(`${paint(printable(memory.memory), 'bold', terminal)}\n`);
    print(formatFields(fields, terminal));
  } else print(formatFields([['memory', memory.memory], ...fields], terminal));
}

/** Names and values, without those that say nothing. */
function describeMemory(memory: MemoryDetails, times: ShownTimes): [string, string][] {
  const { source, metadata, structured_attributes, hash, session_id, ...fields } = memory;
  const facts: [string, string | null][] = [
    ['id', fields.id],
    ...(['user_id', 'agent_id', 'app_id', 'run_id'] as const).map(
      (name): [string, string | null] => [name, fields[name]],
    ),
    ['created_at', timeText(fields.created_at, times)],
    [
      'updated_at',
      fields.updated_at === fields.created_at ? null : timeText(fields.updated_at, times),
    ],
    [
      'occurred_at',
      fields.occurred_at && dayOfEvent(fields.occurred_at, fields.occurred_granularity, times),
    ],
    ['valid_from', fields.valid_from && boundText(fields.valid_from, times)],
    ['valid_until', fields.valid_until && boundText(fields.valid_until, times)],
    ['validity', describeEnd(fields.valid_until)],
    ['expiration_date', fields.expiration_date],
    ['type', fields.type],
    ['categories', fields.categories.join(', ')],
    ['slot', fields.slot],
    ['status', fields.status === 'active' ? null : fields.status],
    ['pinned', fields.pinned ? 'yes' : null],
    ['immutable', fields.immutable ? 'yes' : null],
    ['replaced_by', fields.replaced_by === null ? null : shortIdOf(fields.replaced_by)],
    ['may_replace', (fields.may_replace ?? []).map(shortIdOf).join(', ')],
    ['source_class', fields.source_class],
    ['metadata', Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata)],
    ['source', source === null ? null : `${source.name ?? source.role}: ${source.content}`],
  ];
  return facts.filter((field): field is [string, string] => (field[1] ?? '') !== '');
}

/** A time of day is an instant; a day is the same in every zone. */
function dayOfEvent(at: string, granularity: string | null, { timezone }: ShownTimes): string {
  const wall = granularity === 'minute' ? toWallClock(at, timezone) : at;
  return isoDayOf(wall);
}

/** The day from which a fact is true is kept as its midnight in UTC. */
function boundText(instant: string, times: ShownTimes): string {
  const isDay = instant.endsWith('T00:00:00.000Z');
  return timeText(instant, isDay ? { ...times, timezone: 'UTC' } : times);
}
