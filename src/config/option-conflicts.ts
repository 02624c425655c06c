type OptionValues = Readonly<Record<string, unknown>>;
type Conflict = [name: string, problem: string];

/** Options that can't be used together, with what to do. */
export function optionConflicts(values: OptionValues): Conflict[] {
  return [...modelConflicts(values), ...retentionConflicts(values)];
}

function modelConflicts(values: OptionValues): Conflict[] {
  return (['embedder', 'reranker'] as const).flatMap((kind): Conflict[] => {
    const [local, url] = [`local_${kind}`, `${kind}_url`];
    if ((values[local] ?? null) === null || (values[url] ?? null) === null) return [];
    return [[local, `cannot be used together with ${url}: unset one of them`]];
  });
}

function retentionConflicts({ history_days, undo_days }: OptionValues): Conflict[] {
  if (typeof history_days !== 'number' || typeof undo_days !== 'number') return [];
  if (history_days === 0 || history_days >= undo_days) return [];
  return [['history_days', `must be 0, or at least undo_days, which is ${undo_days}`]];
}
