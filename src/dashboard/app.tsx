import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Ask } from './ask/ask.tsx';
import { Memories } from './memories/memories.tsx';
import { messageOf } from './parts/message-of.ts';
import { loadAccount, signedOut, signOut, viewer } from './parts/session.ts';
import { Shortcuts } from './parts/shortcuts.tsx';
import { SignIn } from './parts/sign-in.tsx';
import { switchTheme, theme } from './parts/theme.ts';

const views = {
  memories: { title: 'Memories', View: Memories },
  ask: { title: 'Ask', View: Ask },
};
type ViewName = keyof typeof views;

const current = signal<ViewName>(viewInAddress());
addEventListener('hashchange', () => {
  current.value = viewInAddress();
});

function viewInAddress(): ViewName {
  return location.hash === '#ask' ? 'ask' : 'memories';
}

export function App() {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (signedOut.value === null) {
      loadAccount().catch((error: unknown) => setProblem(messageOf(error)));
    }
  }, []);
  if (signedOut.value !== null) return <SignIn />;
  if (viewer.value === null) {
    return <main class="sign-in">{problem ? <p role="alert">{problem}</p> : <p>Loading…</p>}</main>;
  }
  const { title, View } = views[current.value];
  document.title = `${title} · mneme`;
  return (
    <>
      <Header />
      <main>
        <h1 class="hidden">{title}</h1>
        <View />
      </main>
      <Shortcuts />
    </>
  );
}

function Header() {
  const { email, project, mayWrite } = viewer.value ?? { email: '', project: '', mayWrite: false };
  return (
    <header class="top">
      <strong>mneme</strong>
      <nav aria-label="Views">
        {Object.entries(views).map(([name, { title }]) => (
          <a
            key={name}
            href={`#${name}`}
            aria-current={name === current.value ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <span class="who quiet" title={email}>
        {project}
        {!mayWrite && <span class="tag">read only</span>}
      </span>
      <button type="button" onClick={switchTheme} aria-label={`Theme: ${theme.value}`}>
        ◐ <span class="wide">{theme.value}</span>
      </button>
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </header>
  );
}
