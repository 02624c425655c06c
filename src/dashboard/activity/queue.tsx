import { Ago } from '../parts/ago.tsx';
import { linkTo } from '../parts/place.ts';

type QueueCounts = { waitingCount: number; runningCount: number; oldest: string | null };

/** How many requests are waiting, and how many are running. */
export function Queue({ counts }: { counts: QueueCounts | null }) {
  if (counts === null) return null;
  const { waitingCount, runningCount, oldest } = counts;
  if (waitingCount + runningCount === 0) return <p class="quiet queue">Queue is empty.</p>;
  return (
    <p class="queue">
      Queue:{' '}
      <a href={linkTo('activity', '', { status: 'PENDING' })}>
        {waitingCount.toLocaleString('en')} waiting
      </a>
      {', '}
      <a href={linkTo('activity', '', { status: 'RUNNING' })}>
        {runningCount.toLocaleString('en')} running
      </a>
      {oldest !== null && (
        <>
          {'; the oldest is from '}
          <Ago instant={oldest} />
        </>
      )}
    </p>
  );
}
