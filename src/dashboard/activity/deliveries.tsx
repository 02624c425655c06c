import type { Delivery, Webhook } from '../../contract/schemas/webhook.ts';
import { Ago } from '../parts/ago.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { Pages, pageInPlace } from '../parts/pages.tsx';
import { linkTo, place, setParams } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';

const pageSize = 50;
const states = { PENDING: 'waiting', DELIVERED: 'delivered', DEAD: 'failed' };

/** Lists deliveries to a webhook, whether they arrived, and sends them again. */
export function Deliveries() {
  const project_id = viewer.value?.project_id ?? '';
  const { value, problem, reload } = useLoaded(async () => client.listWebhooks({ project_id }), '');
  const id = place.value.params.webhook_id;
  if (value === null) {
    return problem ? <Problem problem={problem} reload={reload} /> : <p>Loading…</p>;
  }
  const webhook = value.results.find(({ webhook_id }) => webhook_id === id) ?? value.results[0];
  if (webhook === undefined) {
    return (
      <div class="empty">
        <h2>No webhook is told of changes</h2>
        <p>
          <a href={linkTo('settings', 'webhooks')}>Create one</a>, and what it was sent stands here.
        </p>
      </div>
    );
  }
  return (
    <>
      <div class="bar">
        <label class="labelled">
          Webhook
          <select
            value={webhook.webhook_id}
            onChange={({ currentTarget }) =>
              setParams({ webhook_id: currentTarget.value, page: undefined })
            }
          >
            {value.results.map(({ webhook_id, name }) => (
              <option key={webhook_id} value={webhook_id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <DeliveryList key={webhook.webhook_id} webhook={webhook} />
    </>
  );
}

function DeliveryList({ webhook: { webhook_id, url } }: { webhook: Webhook }) {
  const input = { webhook_id, page: pageInPlace(), page_size: pageSize };
  const { value, problem, reload } = useLoaded(
    async () => client.listWebhookDeliveries(input),
    JSON.stringify(input),
  );
  if (value === null) {
    return problem ? <Problem problem={problem} reload={reload} /> : <p>Loading…</p>;
  }
  return (
    <>
      <p class="quiet">
        <span class="id">{url}</span> · {value.total.toLocaleString('en')} deliveries{' '}
        <button type="button" onClick={() => void reload()}>
          Look again
        </button>
      </p>
      <Problem problem={problem} reload={reload} />
      {value.total === 0 && <p class="empty">It was told nothing yet.</p>}
      <ol class="rows card" aria-label="Deliveries">
        {value.results.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onResent={reload} />
        ))}
      </ol>
      <Pages total={value.total} page_size={pageSize} />
      <CallAs operation="list_webhook_deliveries" input={input} />
    </>
  );
}

type DeliveryRowProps = { delivery: Delivery; onResent: () => Promise<void> };

function DeliveryRow({ delivery, onResent }: DeliveryRowProps) {
  const { id, webhook_id, event_type, memory_id, status, attempts, error, created_at } = delivery;
  const { busy, problem, run } = useAction();
  const resend = async () => {
    await client.resendWebhookDelivery({ webhook_id, delivery_id: id });
    await onResent();
  };
  const mayResend = viewer.value?.mayWrite === true && memory_id !== null;
  return (
    <li>
      <span class="grow">
        <strong>{event_type}</strong>{' '}
        <span class={`tag ${status}`}>
          {memory_id === null ? 'test, ' : ''}
          {states[status]}
        </span>
        <Ago instant={created_at} />
        <span class="quiet"> · {attempts === 1 ? '1 attempt' : `${attempts} attempts`}</span>
        {error !== null && <span class="quiet line">{error}</span>}
        {problem && <span role="alert">{problem}</span>}
      </span>
      {memory_id !== null && <a href={linkTo('memories', memory_id)}>memory</a>}
      {mayResend && (
        <button type="button" disabled={busy} onClick={() => run(resend)}>
          Send again
        </button>
      )}
    </li>
  );
}
