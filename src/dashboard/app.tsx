import {
  Activity as ActivityIcon,
  BrainCircuit,
  CalendarClock,
  ClipboardCheck,
  House,
  type IconNode,
  Library,
  MessageCircleQuestionMark,
  RotateCcw,
  Settings as SettingsIcon,
  Share2,
} from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { Activity } from './activity/activity.tsx';
import { Ask } from './ask/ask.tsx';
import { Graph } from './graph/graph.tsx';
import { Home } from './home/home.tsx';
import { Memories } from './memories/memories.tsx';
import { Icon } from './parts/icon.tsx';
import { messageOf } from './parts/message-of.ts';
import { PastBanner } from './parts/past.tsx';
import { linkTo, place } from './parts/place.ts';
import { openAccount, signedOut, signOut, viewer } from './parts/session.ts';
import { Shortcuts } from './parts/shortcuts.tsx';
import { SignIn } from './parts/sign-in.tsx';
import { switchTheme, theme } from './parts/theme.ts';
import { Replay } from './replay/replay.tsx';
import { Review } from './review/review.tsx';
import { Settings } from './settings/settings.tsx';
import { Timeline } from './timeline/timeline.tsx';

const views = {
  home: { title: 'Home', icon: House, View: Home },
  memories: { title: 'Memories', icon: Library, View: Memories },
  ask: { title: 'Ask', icon: MessageCircleQuestionMark, View: Ask },
  timeline: { title: 'Timeline', icon: CalendarClock, View: Timeline },
  graph: { title: 'Graph', icon: Share2, View: Graph },
  replay: { title: 'Replay', icon: RotateCcw, View: Replay },
  activity: { title: 'Activity', icon: ActivityIcon, View: Activity },
  review: { title: 'Review', icon: ClipboardCheck, View: Review },
  settings: { title: 'Settings', icon: SettingsIcon, View: Settings },
} satisfies Record<string, { title: string; icon: IconNode; View: () => preact.ComponentChild }>;

function currentView() {
  const { view } = place.value;
  return Object.entries(views).find(([name]) => name === view) ?? (['home', views.home] as const);
}

export function App() {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (signedOut.value === null) {
      openAccount().catch((error: unknown) => setProblem(messageOf(error)));
    }
  }, []);
  if (signedOut.value !== null) return <SignIn />;
  if (viewer.value === null) {
    return <main class="sign-in">{problem ? <p role="alert">{problem}</p> : <p>Loading…</p>}</main>;
  }
  const [name, { title, View }] = currentView();
  document.title = `${title} · mneme`;
  return (
    <div class="frame">
      <Header current={name} />
      <main>
        <h1 class="hidden">{title}</h1>
        <PastBanner />
        <View />
      </main>
      <Shortcuts />
    </div>
  );
}

function Header({ current }: { current: string }) {
  const { email = '', project = '', mayWrite = false } = viewer.value ?? {};
  return (
    <header class="top">
      <a class="brand" href={linkTo('home')} aria-label="mneme, home">
        <Icon node={BrainCircuit} />
        <strong>mneme</strong>
      </a>
      <nav aria-label="Views">
        {Object.entries(views).map(([name, { title, icon }]) => (
          <a key={name} href={linkTo(name)} aria-current={name === current ? 'page' : undefined}>
            <Icon node={icon} />
            {title}
          </a>
        ))}
      </nav>
      <div class="who">
        <a class="project" href={linkTo('settings', 'projects')} title={email} dir="auto">
          {project}
        </a>
        {!mayWrite && <span class="tag">read only</span>}
      </div>
      <div class="session">
        <button type="button" onClick={switchTheme} aria-label={`Theme: ${theme.value}`}>
          ◐ {theme.value}
        </button>
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </header>
  );
}
