import { formatCount } from '../../contract/format-count.ts';
import { Ago } from '../parts/ago.tsx';
import { linkTo } from '../parts/place.ts';

type QueueCounts = { waiting: number; running: number; oldest: string | null };

/** How much waits to be understood, and how much is at work. */
export function Queue({ counts }: { counts: QueueCounts | null }) {
  if (counts === null) return null;
  const { waiting, running, oldest } = counts;
  if (waiting + running === 0) return <p class="quiet queue">Nothing waits in the queue.</p>;
  return (
    <p class="queue">
      Queue:{' '}
      <a href={linkTo('activity', '', { status: 'PENDING' })}>
        {formatCount(waiting, 'waits', 'wait')}
      </a>
      {', '}
      <a href={linkTo('activity', '', { status: 'RUNNING' })}>
        {formatCount(running, 'runs', 'run')}
      </a>
      {oldest !== null && (
        <>
          {'; the oldest came '}
          <Ago instant={oldest} />
        </>
      )}
    </p>
  );
}
