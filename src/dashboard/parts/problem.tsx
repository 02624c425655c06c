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

/** What stands where nothing has been read yet: why, or that it is on its way. */
export function Unread({ problem, reload }: ProblemProps) {
  if (problem === '') return <p>Loading…</p>;
  return <Problem problem={problem} reload={reload} />;
}
