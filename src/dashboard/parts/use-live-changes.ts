import { useEffect, useState } from 'preact/hooks';
import { readInSession } from './session.ts';

const retryMs = 5_000;

/**
 * Calls `onChange` soon after memories of the project change. Returns false while the stream of
 * changes does not work, as behind a proxy that holds events back: the view then has to poll.
 */
export function useLiveChanges(onChange: () => void): boolean {
  const [isLive, setIsLive] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    void follow(controller.signal, { onChange, setIsLive }); // ends when the view closes
    return () => controller.abort();
  }, [onChange]);
  return isLive;
}

type Follower = { onChange: () => void; setIsLive: (isLive: boolean) => void };

/** Connects again when the stream ends; the view reads again, as it may have missed changes. */
async function follow(signal: AbortSignal, { onChange, setIsLive }: Follower): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of eventsOf(signal)) {
        setIsLive(true);
        if (event.includes('event: change\n')) onChange();
      }
    } catch {
      // The loop tries again, and the view polls in the meantime.
    }
    if (signal.aborted) return;
    setIsLive(false);
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

/** The events of one connection, as text. */
async function* eventsOf(signal: AbortSignal): AsyncGenerator<string, void> {
  const response = await readInSession('/v1/changes/', {
    headers: { Accept: 'text/event-stream' },
    signal,
  });
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
  if (!response.ok || response.body === null || isStream !== true) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    yield* events;
  }
}
