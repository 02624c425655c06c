import { DropZone } from '../import/drop-zone.tsx';
import { goTo, linkTo } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { viewer } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Copyable } from './copyable.tsx';
import './home.css';

/** What to do while nothing is stored. */
export function FirstSteps() {
  return (
    <div class="page first">
      <section aria-label="First steps">
        <h2>Nothing is remembered yet</h2>
        <p>Connect a client, then tell it something about you.</p>
      </section>
      <ConnectPart />
      <section aria-label="What is known elsewhere">
        <h2>Bring what is known already</h2>
        {viewer.value?.mayWrite === true ? (
          <>
            <DropZone onFile={(file) => void openImport(file)} />
            <p>Or store a first memory yourself:</p>
            <Copyable text={'npx -y mneme add "I prefer window seats."'} label="command" />
          </>
        ) : (
          <p class="quiet">You may only read here: somebody who may write stores the first one.</p>
        )}
      </section>
    </div>
  );
}

/** The reading of files is loaded when there is one. */
async function openImport(file: File): Promise<void> {
  const { takeFile } = await import('../import/import-run.ts');
  goTo('settings', 'import');
  await takeFile(file);
}

/** The same for those who have memories already, at an address of its own. */
export function ConnectPage() {
  return (
    <div class="page first">
      <p>
        <a href={linkTo('home')}>Home</a>
      </p>
      <ConnectPart />
    </div>
  );
}

/** The formats of the clients' files are read only when somebody looks at them. */
function ConnectPart() {
  const read = async () => (await import('./connect.tsx')).Connect;
  const { value: Body, problem, reload } = useLoaded(read, '');
  if (Body !== null) return <Body />;
  if (problem === '') return <p>Loading…</p>;
  return <Problem problem="The entries of clients did not arrive." reload={reload} />;
}
