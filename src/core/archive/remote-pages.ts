import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import type { RemoteInstance } from '../ports/index.ts';

type RemoteRequest = Parameters<RemoteInstance['request']>[0];
type PageItem = Record<string, unknown>;

/** What the specification gives as the default, so that every instance grants it. */
const remotePageSize = 100;

/**
 * The pages of a list, however the instance shapes them: an array or an envelope, with a count, a
 * next page or neither; and whether it knows pages at all.
 */
export async function* listRemotePages(
  remote: RemoteInstance,
  call: RemoteRequest,
): AsyncGenerator<PageItem[]> {
  let before = '';
  let received = 0;
  for (let page = 1; ; page += 1) {
    const answer = await requestPage(remote, call, page);
    const items = pageItems(answer);
    const ids = JSON.stringify(items.map(({ id, type }) => [type, id]));
    // The same page again: the instance answers everything at once.
    if (items.length === 0 || ids === before) return;
    yield items;
    before = ids;
    received += items.length;
    if (isLastPage(answer, { items, received })) return;
  }
}

async function requestPage(
  remote: RemoteInstance,
  call: RemoteRequest,
  page: number,
): Promise<unknown> {
  const query = { ...call.query, page: String(page), page_size: String(remotePageSize) };
  const body = isObject(call.body)
    ? { body: { ...call.body, page, page_size: remotePageSize } }
    : {};
  try {
    return await remote.request({ ...call, ...body, query });
  } catch (error) {
    // Past the end.
    if (page > 1 && error instanceof ApiError && error.code === 'not_found') return [];
    throw error;
  }
}

function pageItems(answer: unknown): PageItem[] {
  const list = isObject(answer) ? answer.results : answer;
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw new ApiError('unavailable', 'the other instance answers no list; does it speak the API?');
}

function isLastPage(
  answer: unknown,
  { items, received }: { items: readonly PageItem[]; received: number },
): boolean {
  if (isObject(answer)) {
    if ('next' in answer) return answer.next === null;
    const total = answer.total ?? answer.count;
    if (typeof total === 'number') return received >= total;
  }
  return items.length < remotePageSize;
}
