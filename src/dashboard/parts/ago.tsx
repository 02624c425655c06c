import { relativeTime } from '../../contract/relative-time.ts';
import { minuteOf } from './times.ts';

/** How long ago something happened; the exact time shows on hover, and beside it if asked for. */
export function Ago({ instant, exact = false }: { instant: string; exact?: boolean }) {
  return (
    <time class="quiet time" dateTime={instant} title={minuteOf(instant)}>
      {relativeTime(instant)}
      {exact && (
        <>
          {' · '}
          <span class="instant">{minuteOf(instant)}</span>
        </>
      )}
    </time>
  );
}
