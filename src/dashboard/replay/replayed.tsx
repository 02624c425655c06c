import { limits } from '../../client.ts';
import { formatCount } from '../../contract/format-count.ts';
import type { Output } from '../../contract.ts';
import { Difference } from '../changes/difference.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { linkTo, pastDay } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { NotUsed, ScoreBar, whyNotUsed } from '../parts/ranking.tsx';
import { client, viewer } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Repair } from './repair.tsx';

type ReplayDifference = Output<'replay_recall'>['differences'][number];
type ReplayRanking = Output<'replay_recall'>['now'];

const reasons: Record<ReplayDifference['reason'], string> = {
  superseded: 'changed',
  deleted: 'deleted',
  learned_later: 'learned later',
  decayed: 'faded',
  expired: 'expired',
  hidden: 'in review then or now',
  cut: 'others are better',
  not_found: 'no match',
  ranking: 'ranked differently',
  others: 'others changed',
};

/** A past recall beside the same question now, and the way to mend what is wrong. */
export function Replayed({ recall_id }: { recall_id: string }) {
  const { value, problem, reload } = useLoaded(
    async () => client.replayRecall({ recall_id }),
    recall_id,
  );
  const mayMend = viewer.value?.mayWrite === true && pastDay.value === null;
  const failure = <Problem problem={problem} reload={reload} />;
  if (value === null) return <div class="page">{problem ? failure : 'Loading…'}</div>;
  const { recall, then, now, differences } = value;
  const { threshold: pastThreshold } = recall.settings;
  const threshold = typeof pastThreshold === 'number' ? pastThreshold : limits.threshold_default;
  const common = { differences, threshold };
  return (
    <div class="page">
      <p>
        <a href={linkTo('replay')}>All recalls</a>
      </p>
      <h2 class="title" dir="auto">
        {recall.query ?? 'A context without a question'}
      </h2>
      <p class="quiet">
        Asked {minuteOf(recall.created_at)}
        {recall.user_id !== null && ` about ${recall.user_id}`}
      </p>
      {failure}
      <Differences {...{ differences, then, now }} />
      <div class="columns replay">
        <Answer
          {...{ title: 'Then', about: `as of ${minuteOf(then.as_of)}`, ...common }}
          ranking={then}
          other={now}
        />
        <Answer
          {...{ title: 'Now', about: 'the same question again', ...common }}
          ranking={now}
          other={then}
        />
      </div>
      {mayMend && <Repair ranking={now} onRepaired={reload} />}
      <CallAs operation="replay_recall" input={{ recall_id }} />
    </div>
  );
}

type AnswerProps = {
  title: string;
  about: string;
  ranking: ReplayRanking;
  /** The same question at the other time. */
  other: ReplayRanking;
  differences: readonly ReplayDifference[];
  threshold: number;
};

function Answer({ title, about, ranking, other, differences, threshold }: AnswerProps) {
  const { results, left_out, cut, tokens } = ranking;
  const isFull = left_out.some(({ stage }) => stage === 'max_tokens');
  const isSame = ({ id, memory }: ReplayRanking['left_out'][number]) =>
    other.left_out.some((one) => one.id === id && one.memory === memory);
  const notUsed = (memories: ReplayRanking['left_out']) =>
    memories.map(({ stage, ...one }) => ({
      ...one,
      why: whyNotUsed(stage, limitOf(stage, { cut, threshold })),
    }));
  const same = left_out.filter(isSame);
  return (
    <section aria-label={title}>
      <h2>
        {title} <span class="quiet">{about}</span>
      </h2>
      {results.length === 0 && <p class="quiet">No memory answered.</p>}
      <ol class="results ranked">
        {results.map((result) => (
          <Answered
            key={result.id}
            result={result}
            difference={differences.find(({ memory_id }) => memory_id === result.id)}
          />
        ))}
      </ol>
      <p class="quiet">
        {tokens.toLocaleString('en')} tokens{!isFull && '. Nothing dropped for the token budget.'}
      </p>
      <NotUsed memories={notUsed(left_out.filter((one) => !isSame(one)))} />
      {same.length > 0 && (
        <details>
          <summary>{formatCount(same.length, 'other', 'others')}, not used then or now</summary>
          <NotUsed memories={notUsed(same)} />
        </details>
      )}
    </section>
  );
}

type AnsweredProps = {
  result: ReplayRanking['results'][number];
  difference: ReplayDifference | undefined;
};

function Answered({ result: { id, memory, score }, difference }: AnsweredProps) {
  return (
    <li class={difference && 'differs'}>
      <a href={linkTo('memories', id)} dir="auto">
        {memory}
      </a>{' '}
      {difference && <span class="tag chosen">{reasons[difference.reason]}</span>}
      <ScoreBar score={score} />
    </li>
  );
}

type RankingLimits = { cut: number | null; threshold: number };

/** The number that decided; a replay does not give it for some stages. */
function limitOf(stage: ReplayRanking['left_out'][number]['stage'], limits: RankingLimits) {
  if (stage === 'cut') return limits.cut;
  return stage === 'score' || stage === 'threshold' ? limits.threshold : null;
}

type DifferencesProps = Pick<Output<'replay_recall'>, 'differences' | 'then' | 'now'>;

function Differences({ differences, then, now }: DifferencesProps) {
  const textIn = ({ results, left_out }: ReplayRanking, memory_id: string) =>
    [...results, ...left_out].find(({ id }) => id === memory_id)?.memory;
  return (
    <section aria-label="Differences">
      <h2>What differs, and why</h2>
      {differences.length === 0 && <p>Nothing: the answer is the same.</p>}
      <ul class="rows card" aria-label="What differs" hidden={differences.length === 0}>
        {differences.map((difference) => (
          <DifferenceRow
            key={difference.memory_id}
            difference={difference}
            was={textIn(then, difference.memory_id)}
            is={textIn(now, difference.memory_id)}
          />
        ))}
      </ul>
    </section>
  );
}

type DifferenceRowProps = {
  difference: ReplayDifference;
  /** Its text then and now; undefined where it was not found. */
  was: string | undefined;
  is: string | undefined;
};

function DifferenceRow({ difference, was, is }: DifferenceRowProps) {
  const { memory_id, memory, then_rank, now_rank, reason, detail } = difference;
  const isRewritten = was !== undefined && is !== undefined && was !== is;
  return (
    <li>
      <span class="place">
        {then_rank ?? '–'} → {now_rank ?? '–'}
      </span>
      <div class="grow">
        <a href={linkTo('memories', memory_id)} dir="auto">
          {isRewritten ? <Difference before={was} after={is} /> : memory}
        </a>
        {!isRewritten && <span class="quiet line">{detail}</span>}
      </div>
      <span class="tag">{reasons[reason]}</span>
    </li>
  );
}
