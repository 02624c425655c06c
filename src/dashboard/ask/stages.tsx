import type { Explanation } from '../../contract/schemas/search.ts';

type Stage = Explanation['stages'][number];

const stageNames: Record<Stage['stage'], string> = {
  words: 'found by their words',
  dates: 'found by their dates',
  neighbours: 'said around the likeliest',
  vectors: 'found by their meaning',
  recent: 'new',
  upcoming: 'due soon',
  always: 'always of use',
  around: 'said around the answers',
  score: 'with a score',
  threshold: 'above the threshold',
  cut: 'near enough to the best',
  top_k: 'within the number that was asked for',
  duplicates: 'that say something of their own',
  max_tokens: 'within the budget',
};

/** Shows how the answer was found, stage by stage. */
export function Stages({ explanation: { stages, aliases = [] } }: { explanation: Explanation }) {
  return (
    <details class="stages">
      <summary>How it was searched</summary>
      <ol class="rows" aria-label="Stages">
        {stages.map(({ stage, query, memories, limit }, at) => (
          <li key={`${stage}${at}`}>
            <strong class="score">{memories.toLocaleString('en')}</strong>
            <span class="grow">
              {stageNames[stage]}
              {limit !== null && ` (${Number.isInteger(limit) ? limit : limit.toFixed(2)})`}
              {query !== null && (
                <span class="quiet line" dir="auto">
                  for: {query}
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {aliases.map(({ name, also }) => (
        <p key={name} class="quiet" dir="auto">
          {name} also means {also.join(', ')}.
        </p>
      ))}
    </details>
  );
}
