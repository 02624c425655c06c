import type { Memory } from '../../contract/schemas/memory.ts';
import { useAction } from '../parts/use-action.ts';
import { chosenMax, type Rows } from './rows.ts';

type ChooseAllProps = {
  rows: Rows;
  setChosen: (chosen: ReadonlyMap<string, Memory>) => void;
};

/** Chooses what the list has, of which only the rows in view are drawn. */
export function ChooseAll({ rows, setChosen }: ChooseAllProps) {
  const { busy, problem, run } = useAction();
  const total = rows.total.value ?? 0;
  if (total < 2) return null;
  const count = Math.min(total, chosenMax).toLocaleString('en');
  const choose = async () => {
    const memories = await rows.readMany();
    setChosen(new Map(memories.map((memory) => [memory.id, memory])));
  };
  return (
    <>
      <button type="button" disabled={busy} onClick={() => run(choose)}>
        {total > chosenMax ? `Choose the first ${count}` : `Choose all ${count}`}
      </button>
      {problem && <p role="alert">{problem}</p>}
    </>
  );
}
