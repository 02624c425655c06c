import type { ReplayRecallOutput } from '../../client.ts';
import { linkTo } from './place.ts';

type RankingStage = ReplayRecallOutput['now']['left_out'][number]['stage'];

/** Why a memory that was found is not in an answer. */
export const stageWords: Record<RankingStage, string> = {
  score: 'scored nothing',
  threshold: 'under the threshold',
  cut: 'cut: too far behind the best',
  top_k: 'beyond the number that was asked for',
  duplicates: 'says the same as another',
  max_tokens: 'did not fit the budget',
};

/** How well a memory answers; what is listed rather than found has no score. */
export function ScoreBar({ score }: { score: number | null }) {
  if (score === null) return <span class="score">listed</span>;
  return (
    <span class="score">
      <meter min={0} max={1} value={score} aria-label="Score" />
      {score.toFixed(2)}
    </span>
  );
}

type LeftOutProps = {
  /** `why` in words; the score is undefined where the answer does not tell it. */
  memories: readonly { id: string; memory: string; score?: number | null; why: string }[];
  label: string;
};

/** What was found and is not in an answer, each with the reason. */
export function LeftOut({ memories, label }: LeftOutProps) {
  return (
    <ol class="results quiet" aria-label={label}>
      {memories.map(({ id, memory, score, why }) => (
        <li key={id}>
          <span>
            <a href={linkTo('memories', id)} dir="auto">
              {memory}
            </a>{' '}
            <span class="tag">{why}</span>
          </span>
          {score !== undefined && <ScoreBar score={score} />}
        </li>
      ))}
    </ol>
  );
}
