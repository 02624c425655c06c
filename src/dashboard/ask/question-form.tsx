import { useLayoutEffect, useRef } from 'preact/hooks';
import { limits } from '../../client.ts';
import { EntityInput } from '../owners/entity-input.tsx';
import { place, setParams } from '../parts/place.ts';
import { questionFields } from './question.ts';

/** A form for the question, its owner, and the token budget of an agent. */
export function QuestionForm({ onSame }: { onSame: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const { params } = place.value;
  const key = JSON.stringify(questionFields.map((name) => params[name]));
  useLayoutEffect(() => {
    for (const name of questionFields) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = params[name] ?? '';
    }
  }, [key]);
  return (
    <form
      ref={form}
      class="search ask-form"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = typedIn(event.currentTarget);
        if (questionFields.every((name) => fields[name] === params[name])) onSame();
        else setParams({ ...fields, memory_id: undefined });
      }}
    >
      <input
        type="search"
        name="query"
        aria-label="Question"
        placeholder="Where does Ada live?  ( / )"
        dir="auto"
        required
      />
      <div class="labelled">
        User
        <EntityInput type="user" label="User" anybody="Anybody" />
      </div>
      <button class="primary" type="submit">
        Ask
      </button>
      <More isOpen={questionFields.slice(2).some((name) => params[name] !== undefined)} />
    </form>
  );
}

function typedIn(form: HTMLFormElement) {
  const data = new FormData(form);
  return Object.fromEntries(
    questionFields.map((name) => [name, String(data.get(name) ?? '').trim() || undefined]),
  );
}

const { context_tokens_min, context_tokens_max, context_tokens_default, top_k_default } = limits;

function More({ isOpen }: { isOpen: boolean }) {
  return (
    <details class="ask-more" open={isOpen}>
      <summary>Agent, session, budget</summary>
      <div class="form">
        <div class="field">
          Agent
          <EntityInput type="agent" label="Agent" anybody="Any agent" />
        </div>
        <div class="field">
          App
          <EntityInput type="app" label="App" anybody="Any app" />
        </div>
        <div class="field">
          Session
          <EntityInput type="run" label="Session" anybody="Any session" />
        </div>
        <label class="field">
          Budget in tokens
          <input
            type="number"
            name="max_tokens"
            min={context_tokens_min}
            max={context_tokens_max}
            placeholder={String(context_tokens_default)}
          />
        </label>
        <label class="field">
          Most results
          <input
            type="number"
            name="top_k"
            min={1}
            max={limits.top_k_max}
            placeholder={String(top_k_default)}
          />
        </label>
      </div>
    </details>
  );
}
