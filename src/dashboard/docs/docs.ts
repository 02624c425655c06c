import { effect } from '@preact/signals';
import { BrainCircuit, createElement } from 'lucide';
import { toHttpRequest } from '../../contract/http-binding.ts';
import { isObject } from '../../contract/is-object.ts';
import type { Route } from '../../contract/operation.ts';
import { switchTheme, theme } from '../parts/theme.ts';

const languages = ['curl', 'TypeScript', 'Python'];
const root = document.documentElement;
const all = <E extends Element>(selector: string) => [...document.querySelectorAll<E>(selector)];

/** The Authorization header; the key is in this page's memory only. */
let authorization: string | null = null;

root.dataset.script = '';
nameThisServer();
offerLanguages();
all<HTMLFormElement>('form.try').forEach(offerRequest);
document.querySelector('.brand')?.prepend(createElement(BrainCircuit, { class: 'icon' }));
document.getElementById('theme')?.addEventListener('click', switchTheme);
effect(() => {
  const button = document.getElementById('theme');
  if (button !== null) button.textContent = `Theme: ${theme.value}`;
});
document.getElementById('key-form')?.addEventListener('submit', takeKey);
document.getElementById('find')?.addEventListener('input', find);
addEventListener('hashchange', openLinked);
addEventListener('keydown', focusFind);
openLinked();

/** Examples name the address at which this page was found. */
function nameThisServer() {
  for (const code of all('.code code')) {
    code.textContent = code.textContent.replaceAll('http://127.0.0.1:8787', location.origin);
  }
}

/** The language of all examples can be chosen at any of them. */
function offerLanguages() {
  for (const box of all('.code')) {
    const bar = document.createElement('div');
    bar.className = 'bar';
    bar.setAttribute('role', 'group');
    bar.setAttribute('aria-label', 'Language of the examples');
    bar.append(...languages.map((language) => buttonOf(language, () => show(language))));
    bar.append(copyButtonOf(box));
    box.prepend(bar);
  }
  show('curl');
}

function show(language: string) {
  root.dataset.language = language;
  for (const button of all('.code .bar button:not(.copy)')) {
    button.setAttribute('aria-pressed', String(button.textContent === language));
  }
}

function copyButtonOf(box: Element): HTMLButtonElement {
  const button = buttonOf('Copy', () => {
    const { language } = root.dataset;
    const text = box.querySelector(`[data-language="${language}"]`)?.textContent ?? '';
    void navigator.clipboard.writeText(text).then(
      () => {
        button.textContent = 'Copied';
      },
      () => {
        button.textContent = 'Not allowed by the browser';
      },
    );
  });
  button.className = 'copy';
  return button;
}

function buttonOf(text: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', onClick);
  return button;
}

/** Adds the scheme that the service wants: an access token has three parts, a key has none. */
function takeKey(event: Event) {
  event.preventDefault();
  const field = document.getElementById('api-key');
  const state = document.getElementById('key-state');
  if (!(field instanceof HTMLInputElement) || state === null) return;
  const key = field.value.trim().replace(/^(?:authorization:\s*)?(?:token|bearer)\s+/i, '');
  const isSendable = /^[\x21-\x7e]+$/.test(key);
  const scheme = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(key) ? 'Bearer' : 'Token';
  authorization = isSendable ? `${scheme} ${key}` : null;
  state.textContent = isSendable
    ? `Requests of this page carry Authorization: ${scheme} ${key.slice(0, 5)}…`
    : 'A key consists of visible ASCII letters, without spaces.';
  if (!isSendable) return;
  for (const code of all('.code code')) {
    code.textContent = code.textContent.replaceAll(
      /\b(?:Token|Bearer) (?=\$MNEME|\{os)/g,
      `${scheme} `,
    );
  }
}

/** A request that can be edited and sent; what cannot be taken back asks once more. */
function offerRequest(form: HTMLFormElement) {
  const route = JSON.parse(form.dataset.route ?? '') as Route; // the server wrote it
  const button = form.querySelector('button');
  const output = form.querySelector('output');
  if (button === null || output === null) return;
  let isSure = !('careful' in form.dataset);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!isSure) {
      isSure = true;
      button.textContent = 'This changes what is stored. Send it';
      return;
    }
    isSure = !('careful' in form.dataset);
    button.textContent = 'Send';
    button.disabled = true;
    void answerOf(form, route).then((text) => {
      output.textContent = text;
      button.disabled = false;
    });
  });
}

async function answerOf(form: HTMLFormElement, route: Route): Promise<string> {
  try {
    const input: unknown = JSON.parse(String(new FormData(form).get('input')));
    if (!isObject(input)) return 'The input must be a JSON object.';
    const { method, path, body } = toHttpRequest({ routes: [route] }, input);
    const response = await fetch(path, {
      method,
      credentials: 'omit',
      headers: {
        ...(authorization !== null && { Authorization: authorization }),
        ...(body !== null && { 'Content-Type': 'application/json' }),
      },
      ...(body !== null && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return `${response.status} ${response.statusText}\n${indented(text)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Leaves only the operations that have all of these words. */
function find(event: Event) {
  const words = (event.target as HTMLInputElement).value.toLowerCase().split(/\s+/);
  const isMeant = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const operations = all<HTMLDetailsElement>('.operation');
  for (const operation of operations) {
    const text = `${operation.id} ${operation.querySelector('summary')?.textContent}`;
    operation.hidden = !isMeant(text);
  }
  for (const section of all('section:has(.operation)')) {
    section.toggleAttribute('hidden', section.querySelector('.operation:not([hidden])') === null);
  }
  const isNone = operations.every(({ hidden }) => hidden);
  document.getElementById('none')?.toggleAttribute('hidden', !isNone);
}

function openLinked() {
  const operation = document.getElementById(location.hash.slice(1));
  if (!(operation instanceof HTMLDetailsElement)) return;
  operation.open = true;
  operation.scrollIntoView();
}

function focusFind(event: KeyboardEvent) {
  const isTyping = (event.target as Element).matches('input, textarea');
  if (event.key !== '/' || isTyping) return;
  event.preventDefault();
  document.getElementById('find')?.focus();
}
