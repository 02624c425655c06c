import type { WriteResult } from '../../contract/schemas/change.ts';
import { linkTo } from '../parts/place.ts';
import { lastAdded } from './adding.ts';

const outcomes = {
  ADD: 'Stored',
  UPDATE: 'An earlier memory says now',
  DELETE: 'Deleted',
  NOOP: 'Not stored again',
} as const satisfies Record<WriteResult['event'], string>;

/** Shows what was stored from the added text, until it is dismissed. */
export function Added() {
  const addition = lastAdded.value;
  if (addition === null) return null;
  const { results, waits, problem } = addition;
  return (
    <div class="bulk bar">
      <div role="status" class="grow">
        {results.length === 0 && 'Nothing was stored: there was no fact in it to remember.'}
        {results.map((result, at) => (
          <p key={at} class="shown-part" dir="auto">
            <strong>{outcomes[result.event]}:</strong> {result.memory}
            {result.reason !== undefined && <span class="quiet"> ({result.reason})</span>}
          </p>
        ))}
        {waits && (
          <p>
            It is not recalled until somebody accepts it. <a href={linkTo('review')}>Review it</a>
          </p>
        )}
        {problem && <p role="alert">The categories are not set: {problem}</p>}
      </div>
      <button
        type="button"
        onClick={() => {
          lastAdded.value = null;
        }}
      >
        Dismiss
      </button>
    </div>
  );
}
