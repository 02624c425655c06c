import { useState } from 'preact/hooks';
import type { Delivery, Webhook } from '../../contract/schemas/webhook.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { linkTo } from '../parts/place.ts';
import { Problem, Unread } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Secret } from './secret.tsx';
import { WebhookForm } from './webhook-form.tsx';

type ToldSecret = { name: string; secret: string };

/** The addresses that get changes, and which changes they get. */
export function Webhooks() {
  const project_id = viewer.value?.project_id ?? '';
  const { value, problem, reload } = useLoaded(async () => client.listWebhooks({ project_id }), '');
  const [secret, setSecret] = useState<ToldSecret | null>(null);
  if (value === null) return <Unread problem={problem} reload={reload} />;
  return (
    <>
      <p class="quiet">
        Each change is sent to these addresses, signed with their secret.{' '}
        <a href={linkTo('activity', 'deliveries')}>What was sent</a>
      </p>
      <Problem problem={problem} reload={reload} />
      {secret !== null && (
        <Secret
          label={`The secret of “${secret.name}”`}
          secret={secret.secret}
          onDone={() => setSecret(null)}
        />
      )}
      {value.results.length === 0 && <p class="empty">No address is told of changes yet.</p>}
      {value.results.map((webhook) => (
        <WebhookCard
          key={webhook.webhook_id}
          webhook={webhook}
          onChanged={reload}
          onTold={setSecret}
        />
      ))}
      {viewer.value?.mayWrite === true && (
        <WebhookForm
          label="New webhook"
          submit="Create a webhook"
          onSubmit={async (input) => {
            const { name, secret = '' } = await client.createWebhook({ ...input, project_id });
            setSecret({ name, secret });
            await reload();
          }}
        />
      )}
      <CallAs operation="list_webhooks" input={{ project_id }} />
    </>
  );
}

type WebhookCardProps = {
  webhook: Webhook;
  onChanged: () => Promise<void>;
  onTold: (secret: ToldSecret) => void;
};

function WebhookCard({ webhook, onChanged, onTold }: WebhookCardProps) {
  const { webhook_id, name, url, event_types, is_active, disabled_reason } = webhook;
  const [isEdited, setEdited] = useState(false);
  if (isEdited) {
    return (
      <WebhookForm
        label={`Change ${name}`}
        submit="Save"
        webhook={webhook}
        onCancel={() => setEdited(false)}
        onSubmit={async (input) => {
          await client.updateWebhook({ webhook_id, ...input });
          await onChanged();
          setEdited(false);
        }}
      />
    );
  }
  return (
    <article class="card" aria-label={name}>
      <h3 dir="auto">
        {name} <span class={is_active ? 'tag good' : 'tag'}>{is_active ? 'on' : 'off'}</span>
      </h3>
      <p class="id">{url}</p>
      <p class="quiet">
        {event_types.join(', ')} ·{' '}
        <a href={linkTo('activity', 'deliveries', { webhook_id })}>Its deliveries</a>
      </p>
      {disabled_reason !== null && <p role="alert">{disabled_reason}</p>}
      {viewer.value?.mayWrite === true && (
        <WebhookActions
          webhook={webhook}
          onChanged={onChanged}
          onTold={onTold}
          onEdit={() => setEdited(true)}
        />
      )}
    </article>
  );
}

function WebhookActions(props: WebhookCardProps & { onEdit: () => void }) {
  const { webhook, onChanged, onTold, onEdit } = props;
  const { webhook_id, name, is_active } = webhook;
  const { busy, problem, run } = useAction();
  const [delivery, setDelivery] = useState<Delivery | null>(null);
  const test = async () => setDelivery(await client.testWebhook({ webhook_id }));
  const toggle = () => client.updateWebhook({ webhook_id, is_active: !is_active }).then(onChanged);
  return (
    <>
      {problem && <p role="alert">{problem}</p>}
      {delivery !== null && <p role="status">{testWords(delivery)}</p>}
      <div class="bar">
        <button type="button" disabled={busy} onClick={() => run(test)}>
          {busy ? 'Wait…' : 'Send a test'}
        </button>
        <button type="button" onClick={onEdit}>
          Edit
        </button>
        <button type="button" disabled={busy} onClick={() => run(toggle)}>
          {is_active ? 'Switch off' : 'Switch on'}
        </button>
        <NewSecret webhook={webhook} onTold={onTold} />
        <Confirm
          label="Delete"
          title={`Delete the webhook “${name}”?`}
          confirm="Delete it"
          onConfirm={() => client.deleteWebhook({ webhook_id }).then(onChanged)}
        >
          <p>What still waits to be sent to it is dropped.</p>
        </Confirm>
      </div>
    </>
  );
}

function testWords({ status, response_status, error, created_at }: Delivery): string {
  const answer = response_status === null ? '' : ` with ${response_status}`;
  const time = `Sent ${minuteOf(created_at)}`;
  if (status === 'DELIVERED') return `${time}: it has arrived; its address answered${answer}.`;
  return `${time}: it did not arrive. ${error ?? `Its address answered${answer}.`}`;
}

function NewSecret({ webhook, onTold }: Pick<WebhookCardProps, 'webhook' | 'onTold'>) {
  const { webhook_id, name } = webhook;
  return (
    <Confirm
      label="New secret"
      title={`A new secret for “${name}”?`}
      confirm="Make a new secret"
      danger={false}
      onConfirm={async () => {
        const { secret = '' } = await client.rotateWebhookSecret({ webhook_id });
        onTold({ name, secret });
      }}
    >
      <p>The old one is not used any more: your program has to know the new one first.</p>
    </Confirm>
  );
}
