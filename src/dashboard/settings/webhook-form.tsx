import type { Sent } from '../../client/operations.ts';
import { parseWebhookEvent, type Webhook, webhookEvents } from '../../contract/schemas/webhook.ts';
import { optionalField, textField } from '../parts/form-fields.ts';
import { useAction } from '../parts/use-action.ts';

type WebhookFormProps = {
  label: string;
  /** The label of the button. */
  submit: string;
  /** The webhook to change; without it, the form creates one. */
  webhook?: Webhook;
  onSubmit: (input: Sent<'create_webhook'>) => Promise<void>;
  onCancel?: () => void;
};

/** A form for the address, the name and the kinds of changes. */
export function WebhookForm({ label, submit, webhook, onSubmit, onCancel }: WebhookFormProps) {
  const { busy, problem, run } = useAction();
  return (
    <form
      class="card form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        run(async () => {
          await onSubmit(inputOf(new FormData(form)));
          form.reset();
        });
      }}
    >
      <label class="field wide-field">
        Address
        <input
          type="url"
          name="url"
          required
          placeholder="https://example.com/memories"
          defaultValue={webhook?.url ?? ''}
        />
      </label>
      <label class="field">
        Name
        <input
          name="name"
          maxLength={255}
          placeholder="that of its host"
          required={webhook !== undefined}
          defaultValue={webhook?.name ?? ''}
        />
      </label>
      <Events types={webhook?.event_types.map(parseWebhookEvent) ?? webhookEvents} />
      {problem && <p role="alert">{problem}</p>}
      <div class="bar">
        <button class="primary" type="submit" disabled={busy}>
          {submit}
        </button>
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}

function Events({ types }: { types: readonly unknown[] }) {
  return (
    <fieldset class="checks">
      <legend>Tell of</legend>
      {webhookEvents.map((event) => (
        <label key={event} class="check">
          <input
            type="checkbox"
            name="event_types"
            value={event}
            defaultChecked={types.includes(event)}
          />{' '}
          {event}
        </label>
      ))}
    </fieldset>
  );
}

/** Nothing chosen is sent as it is: the service says that one is needed. */
function inputOf(data: FormData): Sent<'create_webhook'> {
  const types = data.getAll('event_types');
  const event_types = webhookEvents.filter((event) => types.includes(event));
  return { url: textField(data, 'url'), ...optionalField(data, 'name'), event_types };
}
