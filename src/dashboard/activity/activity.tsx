import './activity.css';
import { place } from '../parts/place.ts';
import { viewer } from '../parts/session.ts';
import { Tabs } from '../parts/tabs.tsx';
import { Audit } from './audit.tsx';
import { Changes } from './changes.tsx';
import { Deliveries } from './deliveries.tsx';
import { Requests } from './requests.tsx';

/** Shows requests of other clients, changes as they come, and deliveries to webhooks. */
export function Activity() {
  const { path } = place.value;
  // Only owners may read the audit log.
  const mayAudit = viewer.value?.isOwner === true;
  const tabs = {
    '': 'Requests',
    changes: 'Changes',
    deliveries: 'Webhook deliveries',
    ...(mayAudit && { audit: 'Audit' }),
  };
  const parts = { changes: Changes, deliveries: Deliveries, ...(mayAudit && { audit: Audit }) };
  const Part = Object.entries(parts).find(([name]) => name === path)?.[1] ?? Requests;
  return (
    <div class="page activity">
      <Tabs view="activity" label="Activity" tabs={tabs} />
      <Part />
    </div>
  );
}
