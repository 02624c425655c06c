import { useEffect, useRef, useState } from 'preact/hooks';
import type { Sent } from '../../client/operations.ts';
import { messageOf } from '../parts/message-of.ts';
import { pageInPlace } from '../parts/pages.tsx';
import { type Params, place, setParams } from '../parts/place.ts';
import { client } from '../parts/session.ts';
import { textsOf } from '../parts/texts-of.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { waitingTotal } from '../parts/waiting.ts';
import { cardId, reasonWords } from './card.tsx';
import { type Decided, decideOne, type ReviewChoice, type WaitingReview } from './decide.ts';

const shownMax = 50;

/** The request of the address; an unknown reason is ignored. */
function requestOf({ review_reason = '', user_id }: Params): Sent<'list_reviews'> {
  const reasons = Object.keys(reasonWords) as (keyof typeof reasonWords)[];
  const reason = reasons.find((one) => one === review_reason);
  return {
    ...(reason && { review_reason: reason }),
    ...(user_id && { user_id }),
    page: pageInPlace(),
    page_size: shownMax,
  };
}

async function readWaiting(request: Sent<'list_reviews'>) {
  const [page, counts] = await Promise.all([client.listReviews(request), readCounts(request)]);
  if (request.user_id === undefined) waitingTotal.value = counts[''] ?? 0;
  const texts = await textsOf(page.results.flatMap(({ may_replace = [] }) => may_replace));
  return { ...page, counts, texts };
}

/** The number of waiting memories for each reason; '' counts all. */
async function readCounts({ user_id }: Sent<'list_reviews'>): Promise<Record<string, number>> {
  const input = { ...(user_id && { user_id }), page_size: 1 };
  const page = await client.listReviews(input);
  if (page.total === 0) return { '': 0 };
  const reasons = Object.keys(reasonWords) as (keyof typeof reasonWords)[];
  const counts = await Promise.all(
    reasons.map(async (reason) => {
      const { total } = await client.listReviews({ ...input, review_reason: reason });
      return [reason, total] as const;
    }),
  );
  return { '': page.total, ...Object.fromEntries(counts) };
}

/** The waiting memories, the current one, and the last decision. */
export function useReview() {
  const request = requestOf(place.value.params);
  const loaded = useLoaded(async () => readWaiting(request), JSON.stringify(request));
  const { value, reload } = loaded;
  const [current, setCurrent] = useState<string | null>(null);
  const [editedId, setEditedId] = useState<string | null>(null);
  const results = value?.results ?? [];
  const focus = useFocusOn(current, results);
  const at = results.findIndex(({ id }) => id === current);

  const move = (to: number) => {
    const next = results[Math.max(0, Math.min(to, results.length - 1))];
    setCurrent(next?.id ?? null);
    focus();
  };
  const edit = (id: string | null) => {
    setEditedId(id);
    if (id === null) focus();
    else setCurrent(id);
  };
  const decision = useDecision(async (memory) => {
    const index = results.indexOf(memory);
    setCurrent((results[index + 1] ?? results[index - 1])?.id ?? null);
    setEditedId(null);
    focus();
    await reload();
  });
  const isPastEnd = value !== null && value.total > 0 && results.length === 0;
  useEffect(() => {
    if (isPastEnd) setParams({ page: undefined }, { replace: true });
  }, [isPastEnd]);
  return { ...loaded, ...decision, request, results, current, at, move, edit, editedId };
}

/** Makes one decision at a time, and keeps the last one and why one failed. */
function useDecision(onDecided: (memory: WaitingReview) => Promise<void>) {
  const [lastDecision, setLastDecision] = useState<Decided | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState({ id: '', problem: '' });
  const decide = async (memory: WaitingReview, choice: ReviewChoice) => {
    if (busy) return;
    setBusy(true);
    try {
      setLastDecision(await decideOne(memory, choice));
      setFailure({ id: '', problem: '' });
      await onDecided(memory);
    } catch (error) {
      setFailure({ id: memory.id, problem: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, decide, lastDecision, setLastDecision };
}

export type ReviewState = ReturnType<typeof useReview>;

/** Moves the focus to the current card after a decision or a key. */
function useFocusOn(current: string | null, results: readonly WaitingReview[]) {
  const isWanted = useRef(false);
  useEffect(() => {
    if (!isWanted.current) return;
    const card = current === null ? null : document.getElementById(cardId(current));
    if (card === null && results.length > 0) return;
    isWanted.current = false;
    (card ?? document.querySelector<HTMLElement>('[data-after-review]'))?.focus();
    card?.scrollIntoView({ block: 'nearest' });
  });
  return () => {
    isWanted.current = true;
  };
}
