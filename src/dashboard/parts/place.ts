import { computed, signal } from '@preact/signals';

/**
 * The address after `#`: the name of a view, what it shows, and how. `memories/ID?user_id=ada`.
 */
type Place = { view: string; path: string; params: Params };

/** What is set of a view: filters, a question, a page. What is undefined is not in the address. */
export type Params = Readonly<Record<string, string | undefined>>;

const loginPrefix = '#login/';

/** The one-time link of `mneme ui` that opened this page; null without one. */
export const loginLink = takeLoginLink();

/** What the address says; links change it, and so do the browser's own buttons. */
export const place = signal<Place>(readPlace());

/** The day whose knowledge the dashboard shows; null is now. It stays from view to view. */
export const pastDay = computed<string | null>(() => place.value.params.as_of ?? null);

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
  const [address = '', query = ''] = splitOnce(location.hash.slice(1), '?');
  const [view = '', path = ''] = splitOnce(address, '/');
  return { view, path: decode(path), params: Object.fromEntries(new URLSearchParams(query)) };
}

function splitOnce(text: string, separator: string): string[] {
  const index = text.indexOf(separator);
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // somebody typed it
  }
}

/** The address of a view and what it should show, on the day that is shown. */
export function linkTo(view: string, path = '', params: Params = {}): string {
  const all = { as_of: pastDay.value ?? undefined, ...params };
  const entries = Object.entries(all).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(entries as [string, string][]).toString();
  const address = path === '' ? view : `${view}/${encodeURIComponent(path)}`;
  return `#${address}${query === '' ? '' : `?${query}`}`;
}

/** Goes to another place; Back leads here again. */
export function goTo(view: string, path = '', params: Params = {}): void {
  location.hash = linkTo(view, path, params);
}

/**
 * Sets what is shown of this view, so that a reload and a copied address show the same; what is
 * undefined is removed. With `replace`, Back does not lead to each step, as while somebody types.
 */
export function setParams(change: Params, { replace = false } = {}): void {
  const { view, path, params } = place.value;
  const address = linkTo(view, path, { ...params, ...change });
  if (address === location.hash) return;
  if (replace) history.replaceState(history.state, '', address);
  else history.pushState(null, '', address);
  place.value = readPlace();
}
