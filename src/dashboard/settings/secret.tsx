import { CopyButton } from '../parts/call-as.tsx';

type SecretProps = { label: string; secret: string; onDone: () => void };

/** Shows a secret once: the store keeps it in a form that cannot be shown again. */
export function Secret({ label, secret, onDone }: SecretProps) {
  return (
    <div class="card secret" role="status">
      <p>
        <strong>{label}</strong> is shown only now. Keep it where your program finds it.
      </p>
      <div class="bar">
        <code>{secret}</code>
        <CopyButton text={secret} />
        <button type="button" onClick={onDone}>
          Done
        </button>
      </div>
    </div>
  );
}
