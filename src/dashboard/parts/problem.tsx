type ProblemProps = { problem: string; reload: () => Promise<void> };

/** Why something could not be read, and the way to try it again; nothing without a problem. */
export function Problem({ problem, reload }: ProblemProps) {
  if (problem === '') return null;
  return (
    <p role="alert">
      {problem}{' '}
      <button type="button" onClick={() => void reload()}>
        Try again
      </button>
    </p>
  );
}

/** Shown before anything has been read: the error, or that the page is loading. */
export function Unread({ problem, reload }: ProblemProps) {
  if (problem === '') return <p>Loading…</p>;
  return <Problem problem={problem} reload={reload} />;
}
