import { ApiError } from '../../contract/errors.ts';
import type { Change } from '../../contract/schemas/change.ts';
import type { Delivery } from '../../contract/schemas/webhook.ts';
import type { Deps, ProjectRef, StoredDelivery, Tables } from '../ports/index.ts';
import { deliveryBody, type NoticeOwner } from './outbox.ts';

type DeliveryRef = { webhook_id: string; delivery_id: string };

/** Makes a delivery due now. A settled one kept no text, and tells what the memory says now. */
export async function resendDelivery(
  { clock }: Pick<Deps, 'clock'>,
  { tables, project }: { tables: Tables; project: ProjectRef },
  ref: DeliveryRef,
): Promise<Delivery> {
  const stored = await tables.deliveries.find(project, ref);
  if (stored === null) throw new ApiError('not_found', 'Delivery not found');
  const isWaiting = stored.status === 'PENDING';
  const body = isWaiting ? stored.body : await bodyNow(tables, project, stored);
  await tables.deliveries.restart(project, { ...ref, body, now: clock.now() });
  const { body: _, ...delivery } = (await tables.deliveries.find(project, ref)) ?? stored;
  return delivery;
}

async function bodyNow(
  { memories, history }: Tables,
  project: ProjectRef,
  { webhook_id, memory_id, event_type, created_at }: StoredDelivery,
): Promise<string> {
  if (memory_id === null) {
    throw new ApiError('conflict', 'this delivery was a test: send another test');
  }
  const write = (owner: NoticeOwner, details: Record<string, unknown>) =>
    deliveryBody({ project, webhook_id, created_at, owner, details });
  if (event_type === 'memory:delete') {
    const last = (await history.list(project, memory_id)).at(-1);
    if (last?.event !== 'DELETE') throw goneError('this memory is not deleted any more');
    const data = { memory: last.old_memory ?? '' };
    return write(last, { id: memory_id, data, event: 'DELETE' });
  }
  const memory = await memories.find(project, memory_id);
  if (memory === null) throw goneError('the memory of this delivery is gone');
  if (event_type === 'memory:categorize') {
    return write(memory, { event: 'CATEGORIZE', memory_id, categories: memory.categories });
  }
  const event: Change = event_type === 'memory:add' ? 'ADD' : 'UPDATE';
  return write(memory, { id: memory_id, data: { memory: memory.memory }, event });
}

function goneError(message: string): ApiError {
  return new ApiError('conflict', message);
}
