import './timeline.css';
import { pastDay, place } from '../parts/place.ts';
import { viewer } from '../parts/session.ts';
import { Tabs } from '../parts/tabs.tsx';
import { Compare } from './compare.tsx';
import { Days } from './days.tsx';
import { Snapshots } from './snapshots.tsx';
import { UndoSince } from './undo-since.tsx';

/** Shows changes by day and between two times, and undoes them. */
export function Timeline() {
  const { path } = place.value;
  const mayUndo = viewer.value?.mayWrite === true && pastDay.value === null;
  const tabs = {
    '': 'Days',
    compare: 'Compare',
    snapshots: 'Snapshots',
    ...(mayUndo && { undo: 'Undo' }),
  };
  const parts = { compare: Compare, snapshots: Snapshots, ...(mayUndo && { undo: UndoSince }) };
  const Part = Object.entries(parts).find(([name]) => name === path)?.[1] ?? Days;
  return (
    <div class="page">
      <Tabs view="timeline" label="Timeline" tabs={tabs} />
      <Part />
    </div>
  );
}
