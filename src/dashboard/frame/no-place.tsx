import { signOut } from '../parts/session.ts';
import { Invitations } from '../settings/invitations.tsx';

/** The page of an account without a project, which can only answer invitations. */
export function NoPlace() {
  return (
    <main class="page">
      <h1 class="title">mneme</h1>
      <h2>This account reaches no project yet</h2>
      <Invitations
        none="Nobody has invited it. An owner of an organization can, in Settings under Members."
        onAccepted={() => location.reload()}
      />
      <p>
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </p>
    </main>
  );
}
