import { linkTo } from '../parts/place.ts';
import type { ServerHealth } from './read-health.ts';

export function Health({ failureCount, ...server }: ServerHealth & { failureCount: number }) {
  const { isReady, words, engine } = server;
  return (
    <p class="health" role="status" aria-label="Health">
      <span class={isReady ? 'good' : 'bad'}>{words}</span>
      <span class="quiet">mneme {server.version}</span>
      {engine !== null && <a href={linkTo('settings', 'configuration')}>{engine}</a>}
      {failureCount > 0 && (
        <a class="bad" href={linkTo('activity', '', { status: 'FAILED' })}>
          {failureCount === 1
            ? 'A write failed'
            : `${failureCount.toLocaleString('en')} writes failed`}
        </a>
      )}
    </p>
  );
}
