import { useCallback, useEffect } from 'preact/hooks';
import { CallAs } from '../parts/call-as.tsx';
import { linkTo, place } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { viewer } from '../parts/session.ts';
import { useLiveChanges } from '../parts/use-live-changes.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Asked } from './asked.tsx';
import { ConnectPage, FirstSteps } from './first-steps.tsx';
import { Growth, periodInPlace } from './growth.tsx';
import { Health } from './health.tsx';
import { type HomeValue, newestMax, readHome } from './home-value.ts';
import { Learned, TopOwners } from './learned.tsx';
import './home.css';

const everyMs = 15_000;

/** Shows how much is remembered, what was learned today and recalled last, and what waits. */
export function Home() {
  return place.value.path === 'connect' ? <ConnectPage /> : <Overview />;
}

function Overview() {
  const { value, problem, reload } = useLoaded(readHome, '');
  const refresh = useCallback(() => {
    if (document.visibilityState === 'visible') void reload();
  }, [reload]);
  const isLive = useLiveChanges(refresh);
  useEffect(() => {
    // Searches do not change memories, so the stream of changes does not report them.
    const timer = setInterval(refresh, isLive ? everyMs * 2 : everyMs);
    return () => clearInterval(timer);
  }, [refresh, isLive]);
  if (value === null)
    return (
      <div class="page">{problem ? <Problem problem={problem} reload={reload} /> : 'Loading…'}</div>
    );
  const { total, changes, searches } = value;
  if (total === 0 && changes.length === 0) return <FirstSteps />;
  const newest = `${changes[0]?.id} ${searches[0]?.id}`;
  return (
    <div class="page">
      <Problem problem={problem} reload={reload} />
      <Health {...value.health} failureCount={value.failureCount} />
      <Figures {...value} />
      <div class="columns">
        <Learned {...value} />
        <div>
          <Asked {...value} />
          <TopOwners {...value} />
        </div>
      </div>
      <Growth total={total} newest={newest} />
      <p>
        <a href={linkTo('home', 'connect')}>Connect a client</a>
      </p>
      <CallAs operation="get_growth" input={{ days: periodInPlace() }} />
    </div>
  );
}

function Figures({ total, waitingCount, failureCount, learnedToday, modelTokens }: HomeValue) {
  const isMore = learnedToday.length === newestMax;
  return (
    <ul class="figures" aria-label="Figures">
      <Figure
        value={total}
        name={
          waitingCount === 0
            ? 'memories'
            : `memories (+${waitingCount.toLocaleString('en')} waiting)`
        }
        href={linkTo('memories')}
      />
      <Figure
        value={learnedToday.length}
        name={isMore ? 'or more learned today' : 'learned today'}
        href={linkTo('timeline')}
      />
      <Figure
        value={waitingCount}
        name="waiting for review"
        href={linkTo('review')}
        isTask={waitingCount > 0 && viewer.value?.mayWrite === true}
      />
      <Figure
        value={failureCount}
        name="writes failed"
        href={linkTo('activity', '', { status: 'FAILED' })}
      />
      {modelTokens !== null && (
        <Figure
          value={modelTokens}
          name="model tokens spent today"
          href={linkTo('settings', 'models')}
        />
      )}
    </ul>
  );
}

type FigureProps = { value: number; name: string; href: string; isTask?: boolean };

/** A number that links to what it counts; one that needs attention is highlighted. */
function Figure({ value, name, href, isTask = false }: FigureProps) {
  return (
    <li>
      <a class={isTask ? 'figure task' : 'figure'} href={href}>
        <strong>{value.toLocaleString('en')}</strong> {name}
        {isTask && <span aria-hidden="true">&nbsp;→</span>}
      </a>
    </li>
  );
}
