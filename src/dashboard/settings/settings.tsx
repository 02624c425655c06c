import { ImportFile } from '../import/import-file.tsx';
import { linkTo, place } from '../parts/place.ts';
import { viewer } from '../parts/session.ts';
import { Configuration } from './configuration.tsx';
import { Export } from './export.tsx';
import { Extraction } from './extraction.tsx';
import { Keys } from './keys.tsx';
import { Members } from './members.tsx';
import { Models } from './models.tsx';
import { Profiles } from './profiles.tsx';
import { Projects } from './projects.tsx';
import { Trust } from './trust.tsx';
import { Webhooks } from './webhooks.tsx';

const sections = {
  projects: { title: 'Projects', Section: Projects },
  members: { title: 'Members', Section: Members },
  keys: { title: 'Keys', Section: Keys },
  webhooks: { title: 'Webhooks', Section: Webhooks },
  extraction: { title: 'Extraction', Section: Extraction },
  profiles: { title: 'Profiles', Section: Profiles },
  trust: { title: 'Trust and review', Section: Trust },
  import: { title: 'Import', Section: ImportFile },
  export: { title: 'Structured export', Section: Export },
};
/** What concerns the machine is shown to the owner of the store only, as the service has it. */
const ofStore = {
  models: { title: 'Models', Section: Models },
  configuration: { title: 'Configuration and backup', Section: Configuration },
};

/** Everything that can be set, a section at a time. */
export function Settings() {
  const visibleSections = { ...sections, ...(viewer.value?.hasStore === true && ofStore) };
  const entries = Object.entries(visibleSections);
  const [name, { title, Section }] =
    entries.find(([section]) => section === place.value.path) ??
    (['projects', sections.projects] as const);
  return (
    <div class="page settings">
      <nav class="tabs" aria-label="Settings">
        {entries.map(([section, about]) => (
          <a
            key={section}
            href={linkTo('settings', section)}
            aria-current={section === name ? 'page' : undefined}
          >
            {about.title}
          </a>
        ))}
      </nav>
      <section aria-label={title}>
        <h2 class="title">{title}</h2>
        <Section key={name} />
      </section>
    </div>
  );
}
