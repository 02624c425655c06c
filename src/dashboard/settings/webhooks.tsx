import { useState } from 'preact/hooks';
import type { CreateWebhookInput, Webhook } from '../../client.ts';
import { webhookEvents } from '../../contract/schemas/webhook.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { linkTo } from '../parts/place.ts';
import { client, viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { optionalField, textField } from './form-fields.ts';
import { Secret } from './secret.tsx';

type ToldSecret = { name: string; secret: string };

/** Which addresses are told of changes, and of which. */
export function Webhooks() {
  const project_id = viewer.value?.project_id ?? '';
  const { value, problem, reload } = useLoaded(async () => client.listWebhooks({ project_id }), '');
  const [told, setTold] = useState<ToldSecret | null>(null);
  if (value === null) return <p>{problem || 'Loading…'}</p>;
  return (
    <>
      <p class="quiet">
        Each change is sent to these addresses, signed with their secret.{' '}
        <a href={linkTo('activity', 'deliveries')}>What was sent</a>
      </p>
      {problem && <p role="alert">{problem}</p>}
      {told !== null && (
        <Secret
          label={`The secret of “${told.name}”`}
          secret={told.secret}
          onDone={() => setTold(null)}
        />
      )}
      {value.results.length === 0 && <p class="empty">No address is told of changes yet.</p>}
      {value.results.map((webhook) => (
        <WebhookCard
          key={webhook.webhook_id}
          webhook={webhook}
          onChanged={reload}
          onTold={setTold}
        />
      ))}
      {viewer.value?.mayWrite === true && (
        <NewWebhook
          onCreate={async (input) => {
            const { name, secret = '' } = await client.createWebhook({ ...input, project_id });
            setTold({ name, secret });
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
  onTold: (told: ToldSecret) => void;
};

function WebhookCard({ webhook, onChanged, onTold }: WebhookCardProps) {
  const { webhook_id, name, url, event_types, is_active, disabled_reason } = webhook;
  const { busy, problem, run } = useAction();
  const [tested, setTested] = useState('');
  const test = async () => {
    const { status, error } = await client.testWebhook({ webhook_id });
    setTested(status === 'DELIVERED' ? 'The test has arrived.' : `It did not arrive: ${error}`);
  };
  const toggle = () => client.updateWebhook({ webhook_id, is_active: !is_active }).then(onChanged);
  return (
    <article class="card" aria-label={name}>
      <h3 dir="auto">
        {name} <span class={is_active ? 'tag good' : 'tag'}>{is_active ? 'on' : 'off'}</span>
      </h3>
      <p class="id">{url}</p>
      <p class="quiet">{event_types.join(', ')}</p>
      {disabled_reason !== null && <p role="alert">{disabled_reason}</p>}
      {problem && <p role="alert">{problem}</p>}
      {tested && <p role="status">{tested}</p>}
      {viewer.value?.mayWrite === true && (
        <div class="bar">
          <button type="button" disabled={busy} onClick={() => run(test)}>
            Send a test
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
      )}
    </article>
  );
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

function NewWebhook({ onCreate }: { onCreate: (input: CreateWebhookInput) => Promise<void> }) {
  const { busy, problem, run } = useAction();
  return (
    <form
      class="card form"
      aria-label="New webhook"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const data = new FormData(form);
        const chosen = data.getAll('event_types');
        const event_types = webhookEvents.filter((event) => chosen.includes(event));
        const about = { url: textField(data, 'url'), ...optionalField(data, 'name') };
        run(async () => {
          await onCreate({ ...about, ...(event_types.length > 0 && { event_types }) });
          form.reset();
        });
      }}
    >
      <label class="field wide-field">
        Address
        <input type="url" name="url" required placeholder="https://example.com/memories" />
      </label>
      <label class="field">
        Name
        <input name="name" maxLength={255} placeholder="that of its host" />
      </label>
      <fieldset class="checks">
        <legend>Tell of</legend>
        {webhookEvents.map((event) => (
          <label key={event} class="check">
            <input type="checkbox" name="event_types" value={event} defaultChecked /> {event}
          </label>
        ))}
      </fieldset>
      {problem && <p role="alert">{problem}</p>}
      <button class="primary" type="submit" disabled={busy}>
        Create a webhook
      </button>
    </form>
  );
}
