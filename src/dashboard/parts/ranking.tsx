import type { Output } from '../../contract.ts';
import { linkTo } from './place.ts';

type RankingStage = Output<'replay_recall'>['now']['left_out'][number]['stage'];

/** Why memories that were found are not in an answer; `limit` is the number that decided it. */
export function whyNotUsed(stage: RankingStage, limit: number | null): string {
  switch (stage) {
    case 'score':
    case 'threshold':
      return limit === null ? 'scored too low' : `scored under ${limit.toFixed(2)}`;
    case 'cut':
      return limit === null
        ? 'too far behind the best'
        : `scored under ${limit.toFixed(2)}, too far behind the best`;
    case 'top_k':
      return limit === null ? 'more than was asked for' : `more than the ${limit} asked for`;
    case 'duplicates':
      return 'the same as another';
    case 'max_tokens':
      return 'over the token budget';
  }
}

/** How well a memory answers; one without a score matches nothing of the question. */
export function ScoreBar({ score }: { score: number | null }) {
  if (score === null) return <span class="score">–</span>;
  return (
    <span class="score">
      <meter min={0} max={1} value={score} aria-label="Score" />
      {score.toFixed(2)}
    </span>
  );
}

type NotUsedMemory = {
  id: string;
  memory: string;
  /** Undefined where the answer does not tell it. */
  score?: number | null;
  /** The reason in words. */
  why: string;
};

/** What was found and is not in an answer, under one heading for each reason. */
export function NotUsed({ memories }: { memories: readonly NotUsedMemory[] }) {
  const reasons = [...new Set(memories.map(({ why }) => why))];
  return (
    <>
      {reasons.map((reason) => (
        <section key={reason}>
          <h3 class="cut">Not used: {reason}</h3>
          <ol class="results not-used" aria-label={`Not used: ${reason}`}>
            {memories
              .filter(({ why }) => why === reason)
              .map(({ id, memory, score }) => (
                <li key={id}>
                  <a href={linkTo('memories', id)} dir="auto">
                    {memory}
                  </a>
                  {score !== undefined && <ScoreBar score={score} />}
                </li>
              ))}
          </ol>
        </section>
      ))}
    </>
  );
}
