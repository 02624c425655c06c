import { linkTo, place } from './place.ts';

type TabsProps = { view: string; label: string; tabs: Readonly<Record<string, string>> };

/** Links to the parts of a view, by the path in the address; the first part has no path. */
export function Tabs({ view, label, tabs }: TabsProps) {
  const { path } = place.value;
  return (
    <nav class="tabs" aria-label={label}>
      {Object.entries(tabs).map(([name, title]) => (
        <a key={name} href={linkTo(view, name)} aria-current={name === path ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
