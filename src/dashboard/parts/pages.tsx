import { linkTo, place } from './place.ts';

/** The page that the address names, from 1; the first page if it names none. */
export function pageInPlace(): number {
  const { page = '1' } = place.value.params;
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1;
}

type PagesProps = {
  total: number;
  page_size: number;
  /** What leads to the page before and to the one after: most lists begin with the newest. */
  words?: readonly [before: string, after: string];
};

/** The way to the other pages of a list; nothing where one holds all. */
export function Pages({ total, page_size, words = ['Newer', 'Older'] }: PagesProps) {
  const [before, after] = words;
  const page = pageInPlace();
  const count = Math.max(1, Math.ceil(total / page_size));
  if (count === 1 && page === 1) return null;
  return (
    <nav class="bar" aria-label="Pages">
      {page > 1 && (
        <a class="button" href={pageLink(Math.min(page - 1, count))}>
          {before}
        </a>
      )}
      <span class="quiet">
        Page {page.toLocaleString('en')} of {count.toLocaleString('en')}
      </span>
      {page < count && (
        <a class="button" href={pageLink(page + 1)}>
          {after}
        </a>
      )}
    </nav>
  );
}

function pageLink(page: number): string {
  const { view, path, params } = place.value;
  return linkTo(view, path, { ...params, page: page === 1 ? undefined : String(page) });
}
