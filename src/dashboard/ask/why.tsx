import type { ScoredMemory } from '../../contract/schemas/memory.ts';
import type { Explanation } from '../../contract/schemas/search.ts';
import { eventTime, minuteOf } from '../parts/times.ts';

type ExplainedResult = Explanation['results'][number];

/** The parts of a score, in the order in which they usually weigh. */
const parts = {
  keyword: 'Words of the question',
  semantic: 'Meaning',
  entity: 'Who said it',
  temporal: 'Time',
} as const;
const finders: Record<ExplainedResult['found_by'][number], string> = {
  words: 'its words',
  dates: 'its dates',
  neighbours: 'what was said around it',
  vectors: 'its meaning',
  recent: 'being new',
  upcoming: 'being due soon',
  always: 'being always of use',
  around: 'what was said around it',
};

type WhyProps = { memory: ScoredMemory; reason: ExplainedResult | undefined };

/** Shows why a memory is in the answer, and its details. */
export function Why({ memory, reason }: WhyProps) {
  const score = reason?.score_breakdown ?? memory.score_breakdown;
  const found_by = [...new Set(reason?.found_by.map((name) => finders[name]))];
  return (
    <div class="why">
      {found_by.length > 0 && <p>Found by {found_by.join(', ')}.</p>}
      <dl class="facts wide-facts" aria-label="Why">
        {score &&
          Object.entries(parts).map(([name, words]) => {
            const value = score[name as keyof typeof parts];
            return (
              <div key={name}>
                <dt>{words}</dt>
                <dd class="score">
                  <meter min={0} max={1} value={value} aria-label={words} />
                  {value.toFixed(2)}
                </dd>
              </div>
            );
          })}
        {Object.entries(factsOf(memory)).map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </div>
  );
}

function factsOf(memory: ScoredMemory) {
  const { type, slot, source_class, created_at, occurred_at, metadata = {} } = memory;
  return {
    Type: type,
    Slot: slot,
    From: source_class,
    Added: created_at && minuteOf(created_at),
    Happened: occurred_at && eventTime(occurred_at, memory.occurred_granularity ?? null),
    Expires: memory.expiration_date,
    Pinned: memory.pinned ? 'yes' : '',
    Metadata: Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata),
  };
}
