import { useState } from 'preact/hooks';
import type { Memory } from '../../contract/schemas/memory.ts';
import type { Output } from '../../contract.ts';
import { Difference } from '../changes/difference.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { useAction } from '../parts/use-action.ts';
import { Changed } from './changed.tsx';
import { type PastVersion, previewRestore, restoreVersion } from './versions.ts';

type RestoreProps = {
  version: PastVersion;
  /** What it says now; null after it was deleted. */
  current: string | null;
  onRestored: (memory: Memory) => void;
};

/** Shows what an earlier version would bring back, and brings it back. */
export function Restore({ version, current, onRestored }: RestoreProps) {
  const [plan, setPlan] = useState<Output<'undo_changes'> | null>(null);
  const [isPlanned, setIsPlanned] = useState(false);
  const { problem, run } = useAction();
  const prepare = async () => {
    setIsPlanned(false);
    setPlan(await previewRestore(version));
    setIsPlanned(true);
  };
  const fields = plan?.changes[0]?.changed;
  const conflict = plan?.conflicts[0];
  return (
    <Confirm
      label="Restore this version"
      title="Restore this version?"
      confirm="Restore it"
      keep="Keep what is there"
      danger={false}
      blocked={!isPlanned || conflict !== undefined}
      onOpen={() => run(prepare)}
      onConfirm={async () => onRestored(await restoreVersion(version))}
    >
      {current === null && <p>The memory was deleted. This brings it back as it was then.</p>}
      <Difference before={current} after={version.text} />
      {fields !== undefined && <Changed fields={fields} />}
      {version.recorded_from === null && (
        <p class="quiet">Only the text comes back: what else it was then is not kept.</p>
      )}
      {conflict !== undefined && <p role="alert">It cannot come back: {conflict.reason}</p>}
      {problem && <p role="alert">{problem}</p>}
    </Confirm>
  );
}
