import {
  BookOpen,
  BrainCircuit,
  CircleQuestionMark,
  Ellipsis,
  LogOut,
  Search,
  SunMoon,
} from 'lucide';
import { useEffect, useRef } from 'preact/hooks';
import { showShortcuts } from '../keyboard/shortcuts.tsx';
import { Icon } from '../parts/icon.tsx';
import { linkTo, place } from '../parts/place.ts';
import { signOut, viewer } from '../parts/session.ts';
import { switchTheme, theme } from '../parts/theme.ts';
import { readWaitingTotal, waitingTotal } from '../parts/waiting.ts';
import { openPalette } from './palette.tsx';
import { ProjectSwitch } from './project-switch.tsx';
import { type ViewName, viewEntries } from './views.ts';
import './frame.css';

/** The bar of a phone has room for this many views beside "More". */
const barMax = 4;

/** The views at the left, on phones as a bar at the bottom; the project, and who is signed in. */
export function Header({ current }: { current: ViewName }) {
  const isInBar = viewEntries.slice(0, barMax).some(([name]) => name === current);
  useWaitingTotal(current);
  return (
    <header class="top">
      <a class="brand" href={linkTo('home')} aria-label="mneme, home">
        <Icon node={BrainCircuit} />
        <strong>mneme</strong>
      </a>
      <ProjectSwitch />
      <button type="button" class="find" onClick={openPalette}>
        <Icon node={Search} />
        <span>Search</span>
        <kbd>{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <nav aria-label="Views">
        <ViewLinks current={current} />
        <More current={current} isHere={!isInBar} />
      </nav>
      <div class="account">
        <Account />
      </div>
    </header>
  );
}

/**
 * Reads the number of waiting memories. Home reads it with its figures; otherwise the first view
 * does, and the view after Review.
 */
function useWaitingTotal(current: ViewName): void {
  const isRead = current === 'home' || viewer.value?.mayWrite !== true;
  const isReview = current === 'review';
  useEffect(() => {
    if (!isRead && !isReview) void readWaitingTotal().catch(() => {}); // then it is not shown
  }, [isReview]);
}

/** Shows the number to people who may decide; on Review itself the list shows it. */
function WaitingBadge({ current }: { current: ViewName }) {
  const total = waitingTotal.value ?? 0;
  if (total === 0 || current === 'review' || viewer.value?.mayWrite !== true) return null;
  return (
    <span class="badge">
      {total.toLocaleString('en')}
      <span class="hidden"> waiting</span>
    </span>
  );
}

function ViewLinks({ current }: { current: ViewName }) {
  return (
    <>
      {viewEntries.map(([name, { title, icon }]) => (
        <a key={name} href={linkTo(name)} aria-current={name === current ? 'page' : undefined}>
          <Icon node={icon} />
          {title}
          {name === 'review' && <WaitingBadge current={current} />}
        </a>
      ))}
    </>
  );
}

/** The menu on phones: the other views, and what is below the views on wider screens. */
function More({ current, isHere }: { current: ViewName; isHere: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.close(), [place.value]);
  return (
    <>
      <button
        type="button"
        class={isHere ? 'more here' : 'more'}
        onClick={() => dialog.current?.showModal()}
      >
        <Icon node={Ellipsis} />
        More
        <WaitingBadge current={current} />
      </button>
      <dialog ref={dialog} class="sheet" aria-label="More">
        <nav aria-label="All views">
          <ViewLinks current={current} />
        </nav>
        <Account />
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}

const themeWords = { system: 'System', light: 'Light', dark: 'Dark' };

/** Shows the account and its rights, and links to help. */
function Account() {
  const { email = '' } = viewer.value ?? {};
  return (
    <>
      <p class="who" title={email}>
        <span dir="auto">{email}</span>
        <span class="tag">{rights()}</span>
      </p>
      <div class="session">
        <a class="button" href="/docs" target="_blank" rel="noreferrer">
          <Icon node={BookOpen} />
          API
        </a>
        <button type="button" onClick={showShortcuts}>
          <Icon node={CircleQuestionMark} />
          Help
        </button>
        <button type="button" class="theme" onClick={switchTheme}>
          <Icon node={SunMoon} />
          Theme: {themeWords[theme.value]}
        </button>
        <button type="button" onClick={() => void signOut()}>
          <Icon node={LogOut} />
          Sign out
        </button>
      </div>
    </>
  );
}

function rights(): string {
  const { mayWrite = false, keyWrites = false, hasStore = false } = viewer.value ?? {};
  if (!keyWrites) return 'read only';
  if (hasStore) return 'owner of the store';
  return mayWrite ? 'owner' : 'reader';
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
