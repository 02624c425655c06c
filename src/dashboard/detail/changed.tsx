const labels: Readonly<Record<string, string>> = {
  pinned: 'Pinned',
  expiration_date: 'Expires',
  valid_from: 'True since',
  valid_until: 'True until',
  created_at: 'Added',
  status: 'Status',
  metadata: 'Metadata',
  categories: 'Categories',
};

/** The fields beside the text that a change set. */
export function Changed({ fields }: { fields: Readonly<Record<string, unknown>> }) {
  return (
    <ul class="preview">
      {Object.entries(fields).map(([field, value]) => (
        <li key={field} dir="auto">
          {labels[field] ?? field}: {inWords(value)}
        </li>
      ))}
    </ul>
  );
}

function inWords(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
