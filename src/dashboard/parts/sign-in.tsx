import { useState } from 'preact/hooks';
import { messageOf } from './message-of.ts';
import { signedOut, signIn } from './session.ts';

export function SignIn() {
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement; // the handler is on the form
    setBusy(true);
    await signIn(String(new FormData(form).get('key')).trim()).catch((error: unknown) =>
      setProblem(messageOf(error)),
    );
    setBusy(false);
  }

  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>mneme</h1>
        <p class="quiet">What your agents remember, and why.</p>
        {signedOut.value && <p role="status">{signedOut.value}</p>}
        <label for="key">API key</label>
        <input id="key" name="key" type="password" autocomplete="off" required placeholder="mk_…" />
        {problem && <p role="alert">{problem}</p>}
        <button class="primary" type="submit" disabled={busy}>
          Sign in
        </button>
        <p class="quiet">
          No key? On the machine of the server, <code>mneme ui</code> opens this page without one,
          and <code>mneme keys create</code> makes one. This browser gets a session for 12 hours;
          the key is not kept in it.
        </p>
      </form>
    </main>
  );
}
