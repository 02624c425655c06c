import { useState } from 'preact/hooks';
import { type CodedCall, type CodeLanguage, callAsCode } from '../../contract/call-as-code.ts';
import { toHttpRequest } from '../../contract/http-binding.ts';
import { contract, type Input, type OperationName } from '../../contract.ts';

/** A call of this screen: what it asks of the service. */
type Call<N extends OperationName> = { operation: N; input: Input<N> };

/** Shows how a program makes the call of this screen. */
export function CallAs<N extends OperationName>(call: Call<N>) {
  return (
    <details class="call">
      <summary>This call as code</summary>
      <CallCode {...call} />
    </details>
  );
}

/** One call in the language that a reader chooses. */
export function CallCode<N extends OperationName>({ operation, input }: Call<N>) {
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const text = callAsCode[language](codedCall(operation, input));
  return (
    <>
      <fieldset>
        <legend class="hidden">Language</legend>
        {(Object.keys(callAsCode) as CodeLanguage[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === language}
            onClick={() => setLanguage(name)}
          >
            {name}
          </button>
        ))}
        <CopyButton text={text} />
      </fieldset>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </>
  );
}

function codedCall(name: OperationName, input: object): CodedCall {
  const { method, path, body } = toHttpRequest(contract[name], { ...input });
  return { name, input, method, base_url: location.origin, path, body };
}

/** Whether a text was copied, and the way to copy it. */
export function useCopied(text: string) {
  const [isCopied, setIsCopied] = useState(false);
  const write = async () => {
    await navigator.clipboard.writeText(text); // without TLS, browsers have no clipboard
    setIsCopied(true);
  };
  const copy = () => void write().catch(() => setIsCopied(false));
  return { isCopied, copy };
}

export function CopyButton({ text }: { text: string }) {
  const { isCopied, copy } = useCopied(text);
  return (
    <button type="button" onClick={copy}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
