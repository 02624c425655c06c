import { useEffect, useRef, useState } from 'preact/hooks';
import { Difference } from '../changes/difference.tsx';
import { OwnerLink } from '../owners/owner-link.tsx';
import { Ago } from '../parts/ago.tsx';
import { linkTo } from '../parts/place.ts';
import { acceptAsMeant, isFlagged, type ReviewChoice, type WaitingReview } from './decide.ts';

export const reasonWords = {
  source: 'Untrusted source',
  flagged: 'Looks like instructions',
  unsure: 'Low confidence',
  all: 'Every new memory in this project is reviewed',
};

/** A recalled memory that the waiting one would replace, or may contradict. */
type OtherText = { id: string; memory: string };

type CardProps = {
  memory: WaitingReview;
  /** Memories that it may contradict. */
  others: readonly OtherText[];
  /** The number of listed memories with the same text and owner. */
  alike: number;
  isCurrent: boolean;
  isEditing: boolean;
  busy: boolean;
  problem: string;
  mayDecide: boolean;
  onEdit: (isEditing: boolean) => void;
  onDecide: (choice: ReviewChoice) => void;
};

export function cardId(memory_id: string): string {
  return `review-${memory_id}`;
}

/** A waiting memory: its text, the reason, memories that it conflicts with, and the decisions. */
export function Card(props: CardProps) {
  const { memory, others, alike, isCurrent, isEditing, problem, mayDecide } = props;
  const [text, setText] = useState(memory.memory);
  const choose = (choice: ReviewChoice) =>
    props.onDecide(
      choice.decision === 'accept' && isEditing && text !== memory.memory
        ? { ...choice, text }
        : choice,
    );
  return (
    <li
      class={isCurrent ? 'card review current' : 'card review'}
      id={cardId(memory.id)}
      tabIndex={-1}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {isEditing ? (
        <TextEditor
          text={text}
          onText={setText}
          onCancel={() => props.onEdit(false)}
          onAccept={() => choose(acceptAsMeant(memory))}
        />
      ) : (
        <p class="memory" dir="auto">
          {memory.memory}
        </p>
      )}
      <About memory={memory} alike={alike} />
      <Comparison memory={memory} others={others} />
      {problem && <p role="alert">{problem}</p>}
      {mayDecide && <Decisions {...props} onDecide={choose} />}
    </li>
  );
}

function About({ memory, alike }: Pick<CardProps, 'memory' | 'alike'>) {
  const { source_class, review_reason, created_at } = memory;
  return (
    <>
      {isFlagged(memory) && (
        <p class="flagged">
          <strong>Possible prompt injection.</strong> It looks like instructions to an agent, or
          like part of a conversation or a call. An agent that recalls it might follow it.
        </p>
      )}
      <p class="quiet about">
        <OwnerLink memory={memory} />
        <span>from: {source_class}</span>
        <Ago instant={created_at} />
        {review_reason !== null && review_reason !== 'flagged' && (
          <span>{reasonWords[review_reason]}</span>
        )}
        {alike > 1 && <span class="tag">{alike} with the same text</span>}
      </p>
    </>
  );
}

function Comparison({ memory, others }: Pick<CardProps, 'memory' | 'others'>) {
  const { supersedes } = memory;
  const texts = supersedes === null ? others : [supersedes];
  return (
    <>
      {texts.map((other) => (
        <div key={other.id} class="compared">
          <p class="quiet">
            {supersedes === null ? 'May contradict ' : 'Would replace '}
            <a href={linkTo('memories', other.id)}>what is remembered</a>:
          </p>
          <Difference before={other.memory} after={memory.memory} />
        </div>
      ))}
    </>
  );
}

type TextEditorProps = {
  text: string;
  onText: (text: string) => void;
  onCancel: () => void;
  onAccept: () => void;
};

function TextEditor({ text, onText, onCancel, onAccept }: TextEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <textarea
      ref={area}
      aria-label="Text of the memory"
      rows={3}
      dir="auto"
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onAccept();
      }}
    />
  );
}

/** Puts the likely decision first: for a possible injection that is to decline. */
function Decisions({ memory, others, isEditing, busy, onEdit, onDecide }: CardProps) {
  const isRisky = isFlagged(memory);
  const decline = (
    <button
      type="button"
      class={isRisky ? 'primary' : undefined}
      disabled={busy}
      onClick={() => onDecide({ decision: 'decline' })}
    >
      Decline
    </button>
  );
  return (
    <div class="bar">
      {isRisky && decline}
      <Accepting {...{ memory, others, busy, onDecide }} />
      <button type="button" onClick={() => onEdit(!isEditing)}>
        {isEditing ? 'Cancel' : 'Edit'}
      </button>
      {!isRisky && decline}
      <button
        type="button"
        class="danger"
        disabled={busy}
        title="Declines it, and never stores this text again in this project"
        onClick={() => onDecide({ decision: 'never' })}
      >
        Decline and block
      </button>
    </div>
  );
}

type AcceptingProps = Pick<CardProps, 'memory' | 'others' | 'busy' | 'onDecide'>;

/** If it conflicts with another memory, the buttons say what will happen to that one. */
function Accepting({ memory, others, busy, onDecide }: AcceptingProps) {
  const { supersedes } = memory;
  const texts = supersedes === null ? others : [supersedes];
  const primary = isFlagged(memory) ? undefined : 'primary';
  if (texts.length === 0) {
    return (
      <button
        type="button"
        class={primary}
        disabled={busy}
        onClick={() => onDecide({ decision: 'accept' })}
      >
        Accept
      </button>
    );
  }
  return (
    <>
      {texts.map(({ id, memory: text }, at) => (
        <button
          key={id}
          type="button"
          class={supersedes === null ? undefined : primary}
          title={text}
          disabled={busy}
          onClick={() => onDecide({ decision: 'accept', replaces: id })}
        >
          {texts.length === 1 ? 'Replace' : `Replace ${at + 1}`}
        </button>
      ))}
      <button
        type="button"
        class={supersedes === null ? primary : undefined}
        disabled={busy}
        onClick={() => onDecide({ decision: 'accept', replaces: null })}
      >
        Keep both
      </button>
    </>
  );
}
