import type { ReplayRecallOutput } from '../../client.ts';
import { CallAs } from '../parts/call-as.tsx';
import { linkTo, pastDay } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { LeftOut, ScoreBar, stageWords } from '../parts/ranking.tsx';
import { client, viewer } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Repair } from './repair.tsx';

type ReplayDifference = ReplayRecallOutput['differences'][number];
type ReplayRanking = ReplayRecallOutput['now'];

const reasons: Record<ReplayDifference['reason'], string> = {
  superseded: 'was changed',
  deleted: 'was deleted',
  learned_later: 'was learned later',
  decayed: 'has faded',
  expired: 'has expired',
  hidden: 'waits for a review, or did',
  cut: 'others are better',
  not_found: 'does not match',
  ranking: 'is ranked differently',
  others: 'those before it changed',
};

/** A past recall beside the same question now, and the way to mend what is wrong. */
export function Replayed({ recall_id }: { recall_id: string }) {
  const { value, problem, reload } = useLoaded(
    async () => client.replayRecall({ recall_id }),
    recall_id,
  );
  const mayMend = viewer.value?.mayWrite === true && pastDay.value === null;
  const again = <Problem problem={problem} reload={reload} />;
  if (value === null) return <div class="page">{problem ? again : 'Loading…'}</div>;
  const { recall, then, now, differences } = value;
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
      {again}
      <div class="columns replay">
        <Answer title="Then" about={`as of ${minuteOf(then.as_of)}`} ranking={then} />
        <Answer title="Now" about="the same question, put again" ranking={now} />
      </div>
      <Differences differences={differences} />
      {mayMend && <Repair ranking={now} onRepaired={reload} />}
      <CallAs operation="replay_recall" input={{ recall_id }} />
    </div>
  );
}

type AnswerProps = { title: string; about: string; ranking: ReplayRanking };

function Answer({ title, about, ranking }: AnswerProps) {
  const { results, left_out, cut, tokens } = ranking;
  return (
    <section aria-label={title}>
      <h2>
        {title} <span class="quiet">{about}</span>
      </h2>
      {results.length === 0 && <p class="quiet">No memory answered.</p>}
      <ol class="results ranked">
        {results.map(({ id, memory, score }) => (
          <li key={id}>
            <span dir="auto">{memory}</span>
            <ScoreBar score={score} />
          </li>
        ))}
      </ol>
      <p class="cut">
        {cut === null ? 'Nothing was cut' : `Cut below ${cut.toFixed(2)}`} ·{' '}
        {tokens.toLocaleString('en')} tokens
      </p>
      <LeftOut
        label={`Left out ${title.toLowerCase()}`}
        memories={left_out.map(({ stage, ...one }) => ({ ...one, why: stageWords[stage] }))}
      />
    </section>
  );
}

function Differences({ differences }: { differences: readonly ReplayDifference[] }) {
  return (
    <section aria-label="Differences">
      <h2>What differs, and why</h2>
      {differences.length === 0 && <p>Nothing: the answer is the same.</p>}
      <ul class="rows card" aria-label="What differs">
        {differences.map(({ memory_id, memory, then_rank, now_rank, reason, detail }) => (
          <li key={memory_id}>
            <span class="place">
              {then_rank ?? '–'} → {now_rank ?? '–'}
            </span>
            <span class="grow">
              <a href={linkTo('memories', memory_id)} dir="auto">
                {memory}
              </a>
              <span class="quiet line">{detail}</span>
            </span>
            <span class="tag">{reasons[reason]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
