import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { useAction } from './use-action.ts';

type ConfirmProps = {
  /** What the button says, and what the dialog is called. */
  label: string;
  title: string;
  /** What the button in the dialog says. */
  confirm: string;
  keep?: string;
  /** A name that has to be typed first, where nothing can be undone. */
  phrase?: string;
  /** True while the action cannot be confirmed. */
  blocked?: boolean;
  danger?: boolean;
  onOpen?: () => void;
  onConfirm: () => Promise<unknown>;
  children?: ComponentChildren;
};

/** A button that says what it will do before it does it. */
export function Confirm({ label, onOpen, ...props }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const { title, danger = true, onConfirm } = props;
  const finish = async () => {
    await onConfirm();
    dialog.current?.close();
  };
  return (
    <>
      <button
        type="button"
        class={danger ? 'danger' : undefined}
        onClick={() => {
          setText('');
          onOpen?.();
          dialog.current?.showModal();
          // Enter, pressed once too often, changes nothing.
          dialog.current?.querySelector<HTMLButtonElement>('[type="submit"]')?.focus();
        }}
      >
        {label}
      </button>
      <dialog ref={dialog} aria-label={title}>
        <Asked {...props} danger={danger} text={text} onText={setText} onConfirm={finish} />
      </dialog>
    </>
  );
}

type AskedProps = StrictOmit<ConfirmProps, 'label' | 'onOpen'> & {
  /** The text typed so far. */
  text: string;
  onText: (text: string) => void;
};

function Asked({ keep = 'Leave it', phrase, blocked = false, text, ...props }: AskedProps) {
  const { busy, problem, run } = useAction();
  return (
    <>
      <h2>{props.title}</h2>
      {props.children}
      {phrase !== undefined && (
        <label class="field">
          Type <strong dir="auto">{phrase}</strong> to go on
          <input value={text} onInput={(event) => props.onText(event.currentTarget.value)} />
        </label>
      )}
      {problem && <p role="alert">{problem}</p>}
      <form method="dialog" class="bar">
        <button type="submit">{keep}</button>
        <button
          type="button"
          class={props.danger ? 'danger' : 'primary'}
          disabled={busy || blocked || (phrase !== undefined && text !== phrase)}
          onClick={() => run(props.onConfirm)}
        >
          {props.confirm}
        </button>
      </form>
    </>
  );
}
