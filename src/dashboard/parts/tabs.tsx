import { linkTo, place } from './place.ts';

type TabsProps = { view: string; label: string; tabs: Readonly<Record<string, string>> };

/** The parts of a view by what follows its name in the address; the first one has no name. */
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
