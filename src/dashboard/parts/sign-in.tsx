import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './message-of.ts';
import { signedOut, signIn, signOut } from './session.ts';

/** The first page of somebody without a session. */
export function SignIn() {
  return (
    <main class="sign-in">
      <h1>mneme</h1>
      <p class="quiet">What your agents remember, and why.</p>
      <KeyForm />
    </main>
  );
}

/** Covers the view when its session ends, so that nothing that was typed there is lost. */
export function SessionOver() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOver = signedOut.value !== null;
  useLayoutEffect(() => {
    if (isOver) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOver]);
  return (
    <dialog
      ref={dialog}
      class="session-over"
      aria-label="Sign in again"
      onCancel={(event) => event.preventDefault()}
    >
      {isOver && (
        <>
          <h2>Sign in again</h2>
          <KeyForm />
          <button type="button" onClick={() => void signOut()}>
            Leave this page
          </button>
        </>
      )}
    </dialog>
  );
}

function KeyForm() {
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
    <form onSubmit={submit}>
      {signedOut.value && <p role="status">{signedOut.value}</p>}
      <label for="key">API key</label>
      <input id="key" name="key" type="password" autocomplete="off" required placeholder="mk_…" />
      {problem && <p role="alert">{problem}</p>}
      <button class="primary" type="submit" disabled={busy}>
        Sign in
      </button>
      <p class="quiet">
        No key? On the machine of the server, <code>mneme ui</code> opens this page without one. Or
        make one with <code>mneme keys create</code>. This browser gets a session for 12 hours; the
        key is not kept in it.
      </p>
    </form>
  );
}
