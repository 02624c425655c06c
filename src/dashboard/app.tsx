import { useLayoutEffect } from 'preact/hooks';
import { Header } from './frame/header.tsx';
import { NoPlace } from './frame/no-place.tsx';
import { Palette } from './frame/palette.tsx';
import { type View, viewEntries, views } from './frame/views.ts';
import { Shortcuts } from './keyboard/shortcuts.tsx';
import { isReachable, lookAgain, noAnswer } from './parts/connection.ts';
import { PastBanner } from './parts/past.tsx';
import { place } from './parts/place.ts';
import { Problem, Unread } from './parts/problem.tsx';
import { hasNoPlace, openAccount, signedOut, viewer } from './parts/session.ts';
import { SessionOver, SignIn } from './parts/sign-in.tsx';
import { useLoaded } from './parts/use-loaded.ts';

function currentView() {
  const { view } = place.value;
  return viewEntries.find(([name]) => name === view) ?? (['home', views.home] as const);
}

export function App() {
  const { problem, reload } = useLoaded(async () => signedOut.value ?? openAccount(), '');
  if (viewer.value === null) {
    if (signedOut.value !== null) return <SignIn />;
    if (hasNoPlace.value) return <NoPlace />;
    return (
      <main class="sign-in">
        <Unread problem={problem} reload={reload} />
      </main>
    );
  }
  const [name, view] = currentView();
  document.title = `${view.title} · mneme`;
  return (
    <div class="frame">
      <Header current={name} />
      <main>
        <Silence />
        <PastBanner />
        <h1>{view.title}</h1>
        <Opened key={name} view={view} />
      </main>
      <Palette />
      <Shortcuts />
      <SessionOver />
    </div>
  );
}

/** Stays until the server answers again, which it is asked every few seconds. */
function Silence() {
  if (isReachable.value) return null;
  return (
    <div class="banner">
      <Problem problem={noAnswer} reload={lookAgain} />
    </div>
  );
}

/** A view is read when it is opened, so that the first page does not wait for all of them. */
function Opened({ view }: { view: View }) {
  const { value: Body, problem } = useLoaded(view.load, '');
  useLayoutEffect(showCurrentTab, [Body, place.value.path]);
  if (Body !== null) return <Body />;
  return <p class="page">{problem ? <Reload /> : 'Loading…'}</p>;
}

/** On phones the tabs are a row that scrolls; the page itself stays where it is. */
function showCurrentTab(): void {
  const tabs = document.querySelector('.tabs');
  const current = tabs?.querySelector('[aria-current]');
  if (!tabs || !current) return;
  const [all, one] = [tabs.getBoundingClientRect(), current.getBoundingClientRect()];
  tabs.scrollLeft += one.left + one.width / 2 - all.left - all.width / 2;
}

/** The server may have another version by now, whose parts have other names. */
function Reload() {
  return (
    <span role="alert">
      This part of the page did not arrive.{' '}
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </span>
  );
}
