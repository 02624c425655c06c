import { signal } from '@preact/signals';

/** The address after `#`: the name of a view, and what it shows. */
type Place = { view: string; rest: string };

const loginPrefix = '#login/';

/** The one-time link of `mneme ui` that opened this page; null without one. */
export const loginLink = takeLoginLink();

/** What the address says; links change it, and so do the browser's own buttons. */
export const place = signal<Place>(readPlace());

addEventListener('hashchange', () => {
  if (location.hash.startsWith(loginPrefix)) location.reload();
  place.value = readPlace();
});

/** Removes the link from the address and from the history, before anything is shown or loaded. */
function takeLoginLink(): string | null {
  if (!location.hash.startsWith(loginPrefix)) return null;
  const link = location.hash.slice(loginPrefix.length);
  history.replaceState(null, '', location.pathname);
  return link;
}

function readPlace(): Place {
  const [view = '', ...rest] = location.hash.slice(1).split('/');
  return { view, rest: decoded(rest.join('/')) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // somebody typed it
  }
}

/** The address of a view and what it should show. */
export function linkTo(view: string, rest = ''): string {
  return rest === '' ? `#${view}` : `#${view}/${encodeURIComponent(rest)}`;
}
