import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { pastDay } from '../parts/place.ts';
import { useLiveChanges } from '../parts/use-live-changes.ts';
import type { Rows } from './rows.ts';

/** How often is asked while changes do not come by themselves. */
const everyMs = 15_000;

/** Says how many memories came since the list was read, and shows them when asked. */
export function Newer({ rows }: { rows: Rows }) {
  const [count, setCount] = useState(0);
  const isAsking = useRef(false);
  const ask = useCallback(() => {
    if (pastDay.value !== null || isAsking.current) return;
    isAsking.current = true;
    const read = rows.countNew().then(setCount, () => {}); // the list says what fails
    void read.finally(() => {
      isAsking.current = false;
    });
  }, [rows]);
  const isLive = useLiveChanges(ask);
  useEffect(() => {
    if (isLive) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') ask();
    }, everyMs);
    return () => clearInterval(timer);
  }, [ask, isLive]);
  useEffect(() => setCount(0), [rows, rows.total.value]);
  if (count === 0) return null;
  const show = () => void rows.refresh().then(() => setCount(0)); // failures are in its `problem`
  return (
    <button type="button" class="newer" onClick={show}>
      {Math.abs(count).toLocaleString('en')} {count > 0 ? 'new' : 'gone'}
    </button>
  );
}
